// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The commands that read and remove an account's record.
///
/// They refuse a record of another client.
@Suite(.takesTurns) struct AccountOutputTests {
  private let clock: ManualClock
  private let harness: CommandHarness
  private static let server = ["--issuer", "https://sandbox.invalid", "--client-id", "almanac"]

  init() throws {
    clock = ManualClock(now: try Timestamp(rfc3339: "2026-11-22T12:00:00Z"))
    harness = CommandHarness(clock: clock)
  }

  private func keep(
    _ account: String = "default", in harness: CommandHarness? = nil, _ change: (inout StoredToken) -> Void = { _ in }
  ) async throws {
    var token = StoredToken(
      accessToken: Secret("acc3ss"), expiresAt: clock.now + .seconds(3600), refreshToken: Secret("r3fresh"),
      scopes: ["openid", "https://www.googleapis.com/auth/calendar"], issuer: "https://sandbox.invalid",
      clientID: "almanac")
    change(&token)
    let kept = token
    try await (harness ?? self.harness).storage.withExclusiveAccess(
      to: RecordName(account: account, clientID: kept.clientID ?? "almanac").description
    ) { try await $0.write(kept) }
  }

  @Test(arguments: [
    (nil, 0, "for an unknown time"), (0, 0, "no longer"), (-5, 0, "no longer"), (1, 0, "for 1 s"),
    (59, 0, "for 59 s"), (60, 0, "for 1 min 0 s"), (3599, 0, "for 59 min 59 s"), (3600, 0, "for 1 h 0 min"),
    (3659, 0, "for 1 h 0 min"), (86_399, 0, "for 23 h 59 min"), (86_400, 0, "for 1 d 0 h"),
    (90_000, 0, "for 1 d 1 h"), (8_640_000, 0, "for 100 d 0 h"), (60, 30, "for 30 s"), (60, 60, "no longer"),
    (0, -60, "for 1 min 0 s"), (1, .min, "for 106751991167300 d 15 h"), (1, .max, "no longer"),
  ])
  func validityIsInTheTwoLargestUnits(_ seconds: Int?, _ ahead: Int, _ words: String) async throws {
    try await keep {
      $0.expiresAt = seconds.map { clock.now + .seconds($0) }
      $0.serverClockOffset = .seconds(ahead)
    }
    #expect(await harness.run("status").output.contains("\nValid      \(words)\n"))
  }

  @Test func accountWithoutAServerAndWithALongClientIsShown() async throws {
    let client = String(repeating: "c", count: 40)
    try await keep { $0 = StoredToken(accessToken: Secret("acc3ss"), clientID: client) }
    let output = await harness.run("accounts").output
    #expect(output.contains("\ndefault  ?       \(client.prefix(35))…  for an unknown time  no"), "\(output)")
  }

  /// A record can belong to another client or server, or name neither.
  @Test(
    arguments: [
      ("https://other.invalid", "almanac"), (nil, "almanac"), ("https://sandbox.invalid", "other"),
      ("https://sandbox.invalid", nil),
    ] as [(String?, String?)])
  func recordOfAnotherClientOrServerIsNotUsed(_ issuer: String?, _ clientID: String?) async throws {
    let harness = CommandHarness(
      clock: clock,
      transport: { base in
        StubTransport { request in
          let text = "\(request.fields["Authorization"] ?? "") \(String(decoding: request.body ?? [], as: UTF8.self))"
          #expect(!text.contains("acc3ss") && !text.contains("r3fresh"), "\(request.url)")
          return try await base.send(request)
        }
      })
    try await keep(in: harness) { ($0.issuer, $0.clientID) = (issuer, clientID) }
    let kept = try await harness.token()
    for command in [
      ["token", "--reveal"], ["whoami"], ["profile"], ["call", "GET", "https://sandbox.invalid/userinfo"],
    ] {
      let result = await harness.run(command + Self.server)
      #expect(result.status != .success, "\(command)")
      #expect(result.output.isEmpty)
    }
    #expect(try await harness.token() == kept, "it is left to its owner")
  }
}
