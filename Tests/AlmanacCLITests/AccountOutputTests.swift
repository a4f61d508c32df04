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

/// The complete output of the commands that read an account.
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

  private func cells(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { line in
      line.replacing(/[ ]{2,}/, with: "|").split(separator: "|").map(String.init)
    }
  }

  // MARK: Status and accounts

  @Test func statusShowsNoSecrets() async throws {
    #expect(
      await harness.run("status").output
        == "No tokens are stored for account \"default\". Run `almanac sign-in`.\n")
    #expect(
      try await harness.run("status", "--json").json
        == ["account": "default", "canRefresh": false, "scopes": [], "signedIn": false])
    try await keep()
    #expect(
      await harness.run("status").output == """
        Account    default
        Issuer     https://sandbox.invalid
        Client     almanac
        Scopes     openid https://www.googleapis.com/auth/calendar
        Valid      for 1 h 0 min
        Refresh    possible
        Kept in    ?

        """)
    #expect(
      try await harness.run("status", "--json").json == [
        "account": "default", "canRefresh": true, "clientID": "almanac", "expiresAt": "2026-11-22T13:00:00Z",
        "issuer": "https://sandbox.invalid", "scopes": ["openid", "https://www.googleapis.com/auth/calendar"],
        "signedIn": true,
      ])
    try await keep("work") { ($0.issuer, $0.refreshToken, $0.scopes) = (nil, nil, []) }
    let other = await harness.run("status", "--account", "work").output
    #expect(other.contains("Issuer     ?\n") && other.contains("Scopes     \n"))
    #expect(other.contains("Refresh    not possible: sign in again when it expires\n"))
  }

  @Test(arguments: [
    (nil, 0, "for an unknown time"), (0, 0, "no longer"), (-5, 0, "no longer"), (1, 0, "for 1 s"),
    (59, 0, "for 59 s"), (60, 0, "for 1 min 0 s"), (3599, 0, "for 59 min 59 s"), (3600, 0, "for 1 h 0 min"),
    (3659, 0, "for 1 h 0 min"), (86_399, 0, "for 23 h 59 min"), (86_400, 0, "for 1 d 0 h"),
    (90_000, 0, "for 1 d 1 h"), (8_640_000, 0, "for 100 d 0 h"), (60, 30, "for 30 s"), (60, 60, "no longer"),
    (0, -60, "for 1 min 0 s"),
  ])
  func validityIsInTheTwoLargestUnits(_ seconds: Int?, _ ahead: Int, _ words: String) async throws {
    try await keep {
      $0.expiresAt = seconds.map { clock.now + .seconds($0) }
      $0.serverClockOffset = .seconds(ahead)
    }
    #expect(await harness.run("status").output.contains("\nValid      \(words)\n"))
  }

  @Test func accountsAreATable() async throws {
    try await keep()
    try await keep("other") { $0 = StoredToken(accessToken: Secret("acc3ss")) }
    try await keep("third") {
      $0 = StoredToken(accessToken: Secret("acc3ss"), clientID: String(repeating: "c", count: 40))
    }
    let output = await harness.run("accounts").output
    #expect(
      cells(output) == [
        ["ACCOUNT", "SERVER", "CLIENT", "VALID", "REFRESH", "SCOPES"],
        ["default", "https://sandbox.invalid", "almanac", "for 1 h 0 min", "yes", "openid calendar"],
        ["other", "?", "almanac", "for an unknown time", "no"],
        ["third", "?", String(repeating: "c", count: 35) + "…", "for an unknown time", "no"],
      ], "\(output)")
    #expect(
      try await harness.run("accounts", "--json").json == [
        [
          "account": "default", "issuer": "https://sandbox.invalid", "clientID": "almanac", "canRefresh": true,
          "expiresAt": "2026-11-22T13:00:00Z", "scopes": ["openid", "https://www.googleapis.com/auth/calendar"],
        ],
        ["account": "other", "clientID": "almanac", "canRefresh": false, "scopes": []],
        [
          "account": "third", "clientID": .string(String(repeating: "c", count: 40)), "canRefresh": false, "scopes": [],
        ],
      ])
    #expect(await harness.run("accounts", "--color", "always").output.hasPrefix("\u{1B}[2mACCOUNT"))
  }

  // MARK: Token

  @Test func tokenIsWrittenOnlyWithReveal() async throws {
    try await keep { $0.issuedAt = clock.now }
    let command = ["token"] + Self.server
    let text = await harness.run(command)
    #expect(
      text.output == """
        Account  default
        Type     Bearer
        Scopes   openid https://www.googleapis.com/auth/calendar
        Valid    for 1 h 0 min
        Expires  2026-11-22T13:00:00Z
        Issued   2026-11-22T12:00:00Z
        Token    not shown without --reveal

        """, "\(text.errors)")
    let json: JSONValue = [
      "account": "default", "tokenType": "Bearer", "expiresAt": "2026-11-22T13:00:00Z",
      "issuedAt": "2026-11-22T12:00:00Z", "scopes": ["openid", "https://www.googleapis.com/auth/calendar"],
    ]
    #expect(try await harness.run(command + ["--json"]).json == json)
    let revealed = try await harness.run(command + ["--json", "--reveal"]).json
    #expect(revealed["accessToken"] == "acc3ss")
    #expect(revealed.object?.filter { $0.key != "accessToken" } == json.object)

    for (isTerminal, note) in [
      (false, ""),
      (
        true,
        "The token is visible on this screen and in its history. Everyone who reads it can use it until it expires."
      ),
    ] {
      let console = ScriptedConsole(showsOutput: isTerminal)
      let result = await harness.run(command + ["--reveal"], console: console)
      #expect(result.output == "acc3ss\n")
      #expect(result.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ") == note)
      let hidden = await harness.run(command, console: ScriptedConsole(showsOutput: isTerminal))
      #expect(!hidden.output.contains("acc3ss") && hidden.errors.isEmpty)
    }
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

  // MARK: The user

  @Test func userIsShownWhole() async throws {
    let harness = try await CommandHarness(clock: clock).signIn()
    let user = harness.sandbox.configuration.user
    let rows = [
      ("Name", user.name), ("Given name", user.givenName), ("Family name", user.familyName),
      ("E-mail", "\(user.email) (verified)"), ("Locale", user.locale), ("Subject", user.subject),
    ]
    let profile = await harness.run("profile").output.split(separator: "\n").map(String.init)
    #expect(
      Array(profile.prefix(6))
        == rows.map { label, value in
          label + String(repeating: " ", count: 13 - label.count) + value
        })
    #expect(profile.dropFirst(6).allSatisfy { $0.hasPrefix("Picture      https://") } && profile.count == 7)

    let whoami = await harness.run("whoami").output.split(separator: "\n").map(String.init)
    let expected = [("Issuer", "https://sandbox.invalid"), ("Subject", user.subject)] + rows.dropLast()
    #expect(
      whoami.dropLast()
        == expected.map { label, value in
          label + String(repeating: " ", count: 13 - label.count) + value
        }[...])
    #expect(whoami.last?.hasPrefix("ID token     verified, valid until 2026-11-22T1") == true)
  }

  // MARK: Revocation

  @Test func revocationReportsWhatItRemoves() async throws {
    let revoked = "Access is revoked and the tokens are removed.\n"
    let removed = "The stored tokens are removed. The access at the server is not revoked.\n"
    let forgotten = "The account's client and settings are removed.\n"
    let none = "No tokens are stored for account \"default\".\n"
    // The options, the output, whether the server revokes the access, and the output of the next call.
    let rows: [(options: [String], said: String, atServer: Bool, next: String)] = [
      ([], revoked, true, none), (["--local"], removed, false, none),
      (["--forget-client"], revoked + forgotten, true, none),
      (["--local", "--forget-client"], removed + forgotten, false, none),
    ]
    for (options, said, atServer, next) in rows {
      for isJSON in [false, true] {
        let harness = try await CommandHarness(clock: clock).signIn()
        let result = await harness.run(["revoke"] + options + (isJSON ? ["--json"] : []))
        if isJSON {
          #expect(try result.json == ["revoked": .bool(atServer)])
        } else {
          #expect(result.output == said, "\(options) \(result.errors)")
        }
        #expect(result.status == .success && result.errors.isEmpty)
        #expect(try await harness.storage.accounts().isEmpty)
        #expect(harness.sandbox.log.count { $0.kind == .tokenRevoked } == (atServer ? 1 : 0))
        let settings = "\(harness.home)/almanac/default.json"
        #expect(FileManager.default.fileExists(atPath: settings) == !options.contains("--forget-client"))
        #expect(await harness.run(["revoke"] + options.filter { $0 == "--local" }).output == next)
        #expect(try await harness.run("revoke", "--json").json == ["revoked": false])
        let settingsAlone = await harness.run("revoke", "--forget-client").output
        #expect(settingsAlone == (options.contains("--forget-client") ? none : forgotten))
      }
    }
  }

  // MARK: Files that cannot be used

  @Test func unusableSettingsAreNamed() async throws {
    // A file in place of a folder.
    let file = "\(harness.home)/file"
    try FileManager.default.createDirectory(atPath: harness.home, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: file))
    let unwritable = await harness.run(
      CommandHarness.signIn(scope: "openid"), environment: ["XDG_CONFIG_HOME": file])
    #expect(
      unwritable.errors
        == "almanac: The settings cannot be written to \(file)/almanac/default.json. Check the folder's permissions.\n")
    #expect(unwritable.status == .storage)
    #expect(harness.sandbox.log.isEmpty, "no page was shown")
    #expect(try await harness.storage.accounts().isEmpty)

    for (variable, folder, message) in [
      (
        "XDG_CONFIG_HOME", "almanac",
        "The settings in PATH cannot be read. Correct or remove the file, then sign in again."
      ),
      (
        "XDG_DATA_HOME", "almanac/clients",
        "The registered client in PATH cannot be read. Remove the file, then sign in again."
      ),
    ] {
      let path = "\(harness.home)/\(variable)/\(folder)/default.json"
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      for damage in ["", "{", "[]", "{}"] {
        try Data(damage.utf8).write(to: URL(filePath: path))
        let result = await harness.run(
          ["profile"] + Self.server, environment: [variable: "\(harness.home)/\(variable)"])
        #expect(result.errors == "almanac: \(message.replacing("PATH", with: path))\n")
        #expect(result.status == .storage && result.output.isEmpty)
      }
    }
  }
}
