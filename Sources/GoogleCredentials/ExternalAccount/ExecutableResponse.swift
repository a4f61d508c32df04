// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping
import TokenStore

/// What a credential's program prints
/// ([response format](https://google.aip.dev/auth/4117)).
struct ExecutableResponse {
  /// The token, or why there is none.
  let token: Result<Secret, GoogleCredentialError>
  /// When the token expires; `nil` if the program does not say.
  let expiresAt: Timestamp?

  func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if it is no response
  ///   at all.
  init(_ output: [UInt8], of program: String) throws {
    func fault(_ problem: String) -> GoogleCredentialError {
      GoogleCredentialError(.subjectTokenUnavailable, "The credential's program \(program.printable) \(problem).")
    }
    do {
      guard let json = try? JSONValue(json: output), let members = JSONMembers(json) else {
        throw fault("did not print a JSON object")
      }
      guard try members.required("version", \.number).integer == 1 else {
        throw fault("prints a version of its response that is not supported")
      }
      expiresAt = try members.optional("expiration_time", \.number)?.integer.map {
        Timestamp(secondsSince1970: Int64($0))
      }
      guard try members.required("success", \.bool) else {
        // What the program says of it may hold anything.
        let code = try members.required("code", \.string)
        _ = try members.required("message", \.string)
        token = .failure(fault("has no token, for the reason \(code.printable)"))
        return
      }
      let type = try members.required("token_type", \.string)
      guard let member = Self.members[type] else { throw fault("gives a token of a type that is not supported") }
      token = .success(Secret(try members.required(member, \.string)))
    } catch let error as JSONMembers.Mismatch {
      throw fault("prints a response without a member \(error.name) of the right kind")
    }
  }

  /// Which member holds a token of which type.
  private static let members = [
    "urn:ietf:params:oauth:token-type:jwt": "id_token", "urn:ietf:params:oauth:token-type:id_token": "id_token",
    "urn:ietf:params:oauth:token-type:saml2": "saml_response",
  ]
}
