// SPDX-License-Identifier: Apache-2.0

// One row of the comparison with google-auth: obtains a token as the job on standard input says, by way of the recording server that
// the argument names, and prints the token. Tools/Interop/google_auth_steps.py is its counterpart in Python.
import Foundation
import GoogleCredentials
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import TokenStore

/// The program's task, in the form that both sides read.
struct Job: Decodable {
  struct Impersonation: Decodable {
    let principal: String
    let delegates: [String]
    let subject: String?
    let lifetime: Int
  }

  /// The environment variables.
  let variables: [String: String]
  let scopes: [Scope]
  let subject: String?
  /// The audience of an ID token; `nil` requests an access token.
  let audience: String?
  let impersonation: Impersonation?
  /// Whether a service account signs its tokens itself.
  let isSelfSigned: Bool
}

/// Sends every request to the recording server, and tells it where the request would have gone.
struct RecordedTransport: Transport {
  let base = CurlTransport()
  let server: URL

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let origin = Origin(request.url) else { throw TransportError(.invalidRequest, "The URL is not one.") }
    var request = request
    let path = request.url.absoluteString.dropFirst(origin.description.count)
    guard let url = URL(string: server.absoluteString + path) else {
      throw TransportError(.invalidRequest, "The URL is not one.")
    }
    request.url = url
    request.fields["X-Original-Origin"] = origin.description
    return try await base.send(request)
  }
}

func credential(_ job: Job, in environment: CredentialEnvironment) async throws -> GoogleCredential {
  guard job.isSelfSigned, let path = environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] else {
    return try await .applicationDefault(scopes: job.scopes, subject: job.subject, in: environment)
  }
  let key = try ServiceAccountKey(json: Array(Data(contentsOf: URL(filePath: path))), in: environment)
  return try .serviceAccount(key, scopes: job.scopes, subject: job.subject, selfSigned: true, in: environment)
}

guard CommandLine.arguments.count == 2, let server = URL(string: CommandLine.arguments[1]) else {
  print("usage: InteropCredentials SERVER <JOB")
  exit(64)
}
do {
  let job = try JSONDecoder().decode(Job.self, from: FileHandle.standardInput.readDataToEndOfFile())
  let environment = CredentialEnvironment(transport: RecordedTransport(server: server), variables: job.variables)
  var google = try await credential(job, in: environment)
  if let impersonation = job.impersonation {
    google = try google.impersonating(
      impersonation.principal, scopes: job.scopes, delegates: impersonation.delegates, subject: impersonation.subject,
      lifetime: .seconds(impersonation.lifetime))
  }
  let tokens: any TokenSource = if let audience = job.audience { try google.idTokens(for: audience) } else { google }
  print(try await tokens.accessToken().value.reveal())
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
