// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// `token`, `whoami` and `accounts`.
@Suite(.takesTurns) struct IdentityCommandTests {
  private func secrets(_ harness: CommandHarness) async throws -> [String] {
    let token = try #require(try await harness.token())
    return [token.accessToken, token.refreshToken, token.idToken].compactMap { $0?.reveal() }
  }

  @Test func commandShowsNoSecret() async throws {
    let harness = try await CommandHarness().signIn()
    for command in ["token", "token --verbose", "whoami", "accounts", "status"] {
      for options in [[], ["--json"]] {
        let result = await harness.run(command.split(separator: " ").map(String.init) + options)
        #expect(result.status == .success && !result.output.isEmpty, "\(result.errors)")
        for secret in try await secrets(harness) { #expect(!(result.output + result.errors).contains(secret)) }
      }
    }
  }

  @Test func expiredIDTokenIsReported() async throws {
    let clock = ManualClock()
    let harness = try await CommandHarness(clock: clock).signIn()
    let record = try #require(try await harness.token())
    clock.advance(by: .seconds(7200))
    // The refresh response has no new ID token.
    _ = await harness.run("token")
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { slot in
      var token = try #require(try await slot.read())
      token.idToken = record.idToken
      try await slot.write(token)
    }
    let result = await harness.run("whoami", "--json")
    #expect(result.status == .success, "\(result.errors)")
    #expect(try result.json["idTokenVerified"]?.bool == false)
    #expect(try result.json["idToken"]?.string?.contains("expired") == true)
    #expect(try result.json["subject"]?.string?.isEmpty == false)
  }

  @Test func userOfAForgedIDTokenIsUnknown() async throws {
    let harness = try await CommandHarness(transport: { base in
      StubTransport { request in
        var response = try await base.send(request)
        guard request.url.path().contains(".well-known") else { return response }
        let metadata = String(decoding: response.body, as: UTF8.self)
        response.body = Array(metadata.replacing("userinfo_endpoint", with: "elsewhere").utf8)
        return response
      }
    }).signIn()
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { slot in
      var token = try #require(try await slot.read())
      token.idToken = token.idToken.map { Secret($0.reveal().dropLast(4) + "AAAA") }
      try await slot.write(token)
    }
    let forged = await harness.run("whoami", "--json")
    #expect(forged.status == .failure && forged.output.isEmpty)
    #expect(forged.error?["code"]?.string == "invalidResponse")
  }
}
