// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// Every command in front of a server whose texts try to steer the terminal.
@Suite(.takesTurns) struct HostileTerminalTests {
  /// The arguments of each command; EVENT, CALENDAR, MINE and RULE stand for what the sandbox has.
  private static let arguments: [String: [String]] = [
    "sign-in": ["--client-id", "almanac", "--no-browser"], "whoami": [], "accounts": [], "token": [], "status": [],
    "agenda": ["--days", "300"], "events list": ["--days", "300"], "events get": ["EVENT"],
    "events add": ["--title", "T", "--start", "2026-11-23"], "events quick-add": ["Tea tomorrow 16:00"],
    "events edit": ["EVENT", "--title", "T", "--guest", "a@example.org"], "events move": ["EVENT", "--to", "MINE"],
    "events delete": ["EVENT"], "calendars": [], "calendars add": ["--title", "T"],
    "calendars edit": ["MINE", "--title", "T"], "calendars delete": ["MINE"], "calendars clear": [],
    "calendars subscribe": ["MINE", "--name", "T"], "calendars customize": ["MINE", "--name", "T"],
    "calendars unsubscribe": ["MINE"], "acl list": [], "acl add": ["--user", "a@example.org", "--role", "reader"],
    "acl edit": ["RULE", "--role", "writer"], "acl delete": ["RULE"], "free": ["--days", "300"], "colors": [],
    "settings": [], "profile": [], "call": ["GET", "calendar/v3/users/me/calendarList", "--include", "--verbose"],
    "discover": ["https://sandbox.invalid"], "revoke": [],
  ]
  /// The commands that reach no server of others.
  private static let without: Set = ["demo", "sandbox", "credentials"]

  /// The part of the server that is hostile.
  enum Reach: CaseIterable {
    /// The texts of the API and the profile.
    case api
    /// Those of the token endpoint and the metadata too.
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
          guard path.hasPrefix("/calendar/") || ["/token", "/revoke", "/userinfo"].contains(path) else {
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

  @Test func everyCommandIsTried() {
    #expect(Set(Command.all.map(\.name)) == Set(Self.arguments.keys).union(Self.without))
  }

  @Test(arguments: Reach.allCases, ["never", "always"])
  func nothingThatSteersATerminalIsWritten(_ reach: Reach, color: String) async throws {
    for (name, arguments) in Self.arguments.sorted(by: { $0.key < $1.key }) {
      let harness = try await CommandHarness().signIn()
      let names = try await harness.namesAtTheServer()
      let victim = CommandHarness(sharing: harness, transport: Self.hostile(reach))
      for options in [[], ["--dry-run"], ["--json"]] {
        let console = ScriptedConsole(canAsk: true, showsOutput: true) { [sandbox = harness.sandbox] errors in
          guard let line = errors.split(separator: "\n").last(where: { $0.hasPrefix("http") }) else { return "y" }
          return try sandbox.approve(try #require(URL(string: String(line)))).absoluteString
        }
        let words = name.split(separator: " ").map(String.init) + arguments.map { names[$0] ?? $0 }
        let result = await victim.run(words + ["--color", color] + options, console: console)
        let context: Comment =
          "\(reach) \(name) \(options): \(result.output.debugDescription) \(result.errors.debugDescription)"
        if options == [], reach == .api { #expect(result.status == .success, context) }
        for text in [result.output, result.errors] {
          #expect(!text.withoutStyles.unicodeScalars.contains { $0.steersTerminal && $0 != "\n" }, context)
          // The body of a call has lines of its own.
          #expect(name == "call" || !text.split(separator: "\n").contains { $0.hasPrefix("Forged") }, context)
        }
      }
    }
  }
}

extension CommandHarness {
  /// The identifiers that the table of arguments leaves open.
  fileprivate func namesAtTheServer() async throws -> [String: String] {
    func id(_ arguments: String...) async throws -> String {
      let result = await run(arguments + ["--yes", "--json"])
      return try #require(try result.json["id"]?.string, "\(result.errors)")
    }
    return [
      "EVENT": try await id("events", "add", "--title", "A", "--start", "2026-11-23"),
      "MINE": try await id("calendars", "add", "--title", "A"),
      "RULE": try await id("acl", "add", "--user", "b@example.org", "--role", "reader"),
    ]
  }
}

extension String {
  /// The text without the escape sequences of the command's own styles.
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
