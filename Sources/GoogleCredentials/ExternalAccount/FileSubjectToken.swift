// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// The token in a file, which something else keeps fresh, such as Kubernetes.
struct FileSubjectToken: SubjectTokenSource {
  let path: String
  let format: SubjectTokenFormat
  let files: any CredentialFiles

  func subjectToken() async throws -> Secret {
    guard let content = try await files.content(of: path) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "There is no file \(path.printable), which should hold the workload's token. Check what writes it.", file: path)
    }
    guard let token = format.token(in: content) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "The file \(path.printable) holds no token in the form that the credential's format says.", file: path)
    }
    return token
  }
}
