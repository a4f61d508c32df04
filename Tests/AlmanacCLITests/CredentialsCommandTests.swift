// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

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

  private func run(_ arguments: String..., content: String? = nil) async throws -> CommandHarness.Result {
    if let content { try content.write(toFile: file, atomically: true, encoding: .utf8) }
    return await harness.run(
      ["credentials"] + arguments,
      environment: content == nil ? ["NO_GCE_CHECK": "true"] : ["GOOGLE_APPLICATION_CREDENTIALS": file])
  }

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

  @Test func tokenIsRequestedOnlyWithCheck() async throws {
    #expect(try await run("--json", content: Self.user).json["tokenExpiresAt"] == nil)
    #expect(try await run("--json", "--check", content: Self.user).json["tokenExpiresAt"]?.string != nil)
    #expect(try await run("--check", content: Self.user).output.contains("obtained, valid for"))
  }

  @Test func missingAndDamagedCredentialsAreDistinguished() async throws {
    let missing = try await run("--json")
    #expect(missing.status == .failure)
    #expect(missing.error?["code"]?.string == "notFound")
    let damaged = try await run("--json", content: "{")
    #expect(damaged.status == .storage)
    #expect(damaged.error?["code"]?.string == "malformed")
  }
}
