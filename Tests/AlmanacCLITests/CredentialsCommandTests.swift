// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// `almanac credentials`, whose output and errors are in a transcript.
@Suite(.takesTurns) final class CredentialsCommandTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString).json").path()
  private let harness = CommandHarness(transport: { _ in
    StubTransport { request in
      #expect(request.url.host() == "oauth2.googleapis.com")
      return HTTPResponse(
        status: 200, fields: ["Content-Type": "application/json"],
        body: Array(#"{"access_token": "acc3ss", "token_type": "Bearer", "expires_in": 3600}"#.utf8))
    }
  })

  deinit { try? FileManager.default.removeItem(atPath: file) }

  private static let user = """
    {"type": "authorized_user", "client_id": "c", "client_secret": "s3cret", "refresh_token": "r3fresh",
    "quota_project_id": "billing"}
    """

  @Test(arguments: [[], ["--json"], ["--check"], ["--check", "--json"]]) func noSecretIsShown(_ options: [String])
    async throws
  {
    try Self.user.write(toFile: file, atomically: true, encoding: .utf8)
    let result = await harness.run(
      ["credentials"] + options, environment: ["GOOGLE_APPLICATION_CREDENTIALS": file])
    #expect(result.status == .success, "\(result.errors)")
    #expect(result.output.contains("authorized_user") && result.output.contains("billing"))
    for secret in ["s3cret", "r3fresh", "acc3ss"] { #expect(!(result.output + result.errors).contains(secret)) }
  }
}
