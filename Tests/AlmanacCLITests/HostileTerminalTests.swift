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

/// Every command with a server whose texts try to control the terminal.
@Suite(.takesTurns) struct HostileTerminalTests {
  /// Each command, with the placeholders EVENT, MINE, RULE and FILE for data of the sandbox and the user.
  ///
  /// The last ones remove the data that the others show.
  private static let rows = [
    "sign-in --client-id almanac --no-browser", "sign-in --client-id almanac --device",
    "sign-in --account another --resource https://api.invalid/mcp", "whoami", "accounts", "token", "status",
    "agenda --days 3", "events list --days 3", "events get EVENT", "events add --title T --start 2026-11-23",
    "events quick-add Tea", "events edit EVENT --title T --guest a@example.org", "events move EVENT --to MINE",
    "events delete EVENT", "calendars", "calendars add --title T", "calendars edit MINE --title T",
    "calendars delete MINE", "calendars subscribe MINE --name T", "calendars customize MINE --name T",
    "calendars unsubscribe MINE", "acl list", "acl add --user a@example.org --role reader",
    "acl edit RULE --role writer", "acl delete RULE", "free --days 3", "colors", "settings", "settings locale",
    "profile", "call GET calendar/v3/users/me/calendarList --include --verbose", "discover https://sandbox.invalid",
    "GCE_METADATA_HOST=metadata.invalid credentials --check", "GOOGLE_APPLICATION_CREDENTIALS=FILE credentials --check",
    "calendars clear", "revoke",
  ]
  /// The commands that send no requests to other servers.
  private static let without: Set = [
    "completion", "demo", "manual", "sandbox", "tokens key", "tokens migrate",
    "tokens migrate-schema", "tokens reseal", "tokens seal",
  ]

  /// The hostile part of the server.
  enum Reach: CaseIterable {
    /// The texts of the API and the profile.
    case api
    /// The texts of the API, the profile, the token endpoint and the metadata.
    case everything
    /// The API and the token endpoint refuse all requests.
    case refusals
  }

  private static func hostile(_ reach: Reach) -> @Sendable (any Transport) -> any Transport {
    { base in
      switch reach {
      case .api: HostileServer.transport(over: base) { !$0.hasPrefix("/calendar/") && $0 != "/userinfo" }
      case .everything: HostileServer.transport(over: base)
      case .refusals:
        StubTransport { request in
          let path = request.url.path(percentEncoded: true)
          guard
            path.hasPrefix("/calendar/") || path.hasPrefix("/computeMetadata/")
              || ["/device_authorization", "/register", "/token", "/revoke", "/userinfo"].contains(path)
          else {
            return try await base.send(request)
          }
          let text = String(decoding: try JSONEncoder().encode(HostileServer.text), as: UTF8.self)
          let isAPI = path.hasPrefix("/calendar/")
          let error =
            isAPI
            ? #"{"error":{"code":400,"message":\#(text),"errors":[{"reason":\#(text),"message":\#(text),"location":\#(text)}]}}"#
            : #"{"error":\#(text),"error_description":\#(text)}"#
          return HTTPResponse(
            status: 400, fields: ["Content-Type": "application/json", "X-Name": "x"], body: Array(error.utf8))
        }
      }
    }
  }

  /// The sandbox, an API that signs in there, and Google Cloud's servers.
  private static func servers(over base: any Transport) -> any Transport {
    let text = String(decoding: JSONValue.string(HostileServer.text).json(), as: UTF8.self)
    return StubTransport { request in
      let path = request.url.path(percentEncoded: true)
      func json(_ text: String) -> HTTPResponse {
        HTTPResponse(
          status: 200, fields: ["Content-Type": "application/json", "Metadata-Flavor": "Google"], body: Array(text.utf8)
        )
      }
      switch request.url.host() {
      case "api.invalid":
        guard path.hasPrefix("/.well-known/") else { return HTTPResponse(status: 404) }
        return json(
          """
          {"resource": "https://api.invalid/mcp", "authorization_servers": ["https://sandbox.invalid"],
          "resource_name": \(text), "scopes_supported": ["email"]}
          """)
      case "metadata.invalid" where path.hasSuffix("/project-id"): return json(HostileServer.text)
      case "metadata.invalid", "oauth2.googleapis.com":
        return json(
          #"{"access_token": "t", "token_type": "Bearer", "expires_in": 3600, "scope": \#(text), "extra": \#(text)}"#)
      default: return try await base.send(request)
      }
    }
  }

  private static func harness() throws -> CommandHarness {
    var configuration = CommandHarness.configuration
    configuration.registrationAccess = .open
    configuration.resources = ["https://api.invalid/mcp"]
    configuration.consentingUser = "person@example.com"
    // The day before the event.
    let clock = ManualClock(now: try Timestamp(rfc3339: "2026-11-22T12:00:00Z"), skipsWaits: true)
    return CommandHarness(clock: clock, configuration: configuration, transport: servers)
  }

  @Test func everyCommandIsTried() {
    let all = Command.all.map(\.name)
    let tried = Self.rows.compactMap { row in
      all.filter { " \(row) ".contains(" \($0) ") }.max { $0.count < $1.count }
    }
    #expect(Set(all) == Set(tried).union(Self.without))
  }

  @Test(arguments: Reach.allCases)
  func noTerminalControlCharacterIsWritten(_ reach: Reach) async throws {
    let harness = try await Self.harness().signIn()
    let hasty = CommandHarness(sharing: harness, transport: Self.hostile(reach))
    // The metadata server has a time limit. A clock that skips waits can reach it before the response.
    let patient = CommandHarness(
      sharing: harness, clock: ManualClock(now: harness.clock.now), transport: Self.hostile(reach))
    for row in Self.rows {
      let victim = reach == .api && row.hasPrefix("GCE") ? patient : hasty
      let names = try await harness.namesAtTheServer(for: row)
      var words = row.split(separator: " ").map { names[String($0)] ?? String($0) }
      var environment: [String: String] = [:]
      if let pair = row.firstMatch(of: /^([A-Z_]+)=(\S+)/) {
        environment[String(pair.1)] = names[String(pair.2)] ?? String(pair.2)
        words.removeFirst()
      }
      for options in [["--color", "always"], ["--dry-run"], ["--json"]] {
        let console = ScriptedConsole(canAsk: true, showsOutput: true) { [sandbox = harness.sandbox] errors in
          guard let line = errors.split(separator: "\n").last(where: { $0.hasPrefix("http") }) else { return "y" }
          return try sandbox.approve(try #require(URL(string: String(line)))).absoluteString
        }
        let result = await victim.run(words + options, environment: environment, console: console)
        let context: Comment =
          "\(reach) \(words) \(options): \(result.output.debugDescription) \(result.errors.debugDescription)"
        if options[0] == "--color", reach == .api { #expect(result.status == .success, context) }
        for text in [result.output, result.errors] {
          #expect(!text.withoutStyles.unicodeScalars.contains { $0.steersTerminal && $0 != "\n" }, context)
          // The body of a call has several lines.
          #expect(words[0] == "call" || !text.split(separator: "\n").contains { $0.hasPrefix("Forged") }, context)
        }
      }
    }
  }
}

extension CommandHarness {
  /// Creates the data for the placeholders that a row contains.
  fileprivate func namesAtTheServer(for row: String) async throws -> [String: String] {
    var values: [String: String] = [:]
    if row.contains("EVENT") {
      values["EVENT"] = try await id("events", "add", "--title", "A", "--start", "2026-11-23")
    }
    if row.contains("MINE") { values["MINE"] = try await id("calendars", "add", "--title", "A") }
    if row.contains("RULE") {
      values["RULE"] = try await id("acl", "add", "--user", "b@example.org", "--role", "reader")
    }
    if row.contains("FILE") { values["FILE"] = try userFile() }
    return values
  }

  private func id(_ arguments: String...) async throws -> String {
    let result = await run(arguments + ["--yes", "--json"])
    return try #require(try result.json["id"]?.string, "\(result.errors)")
  }

  /// Writes the credentials of a user of Google Cloud, with a hostile project.
  private func userFile() throws -> String {
    let path = home + "/user.json"
    let user =
      #"{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r", "quota_project_id": "#
    try Data(user.utf8 + JSONValue.string(HostileServer.text).json() + "}".utf8).write(to: URL(filePath: path))
    return path
  }
}

extension String {
  /// Returns the text without the escape sequences of the command's own styles.
  fileprivate var withoutStyles: String { replacing(/\u{1B}\[(0|1|2|38;2;[0-9;]+)m/, with: "") }
}

extension Unicode.Scalar {
  fileprivate var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
