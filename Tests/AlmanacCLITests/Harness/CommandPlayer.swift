// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// Carries out the lines of a transcript.
final class CommandPlayer {
  private let exchanges = ScriptedExchanges()
  private let sandbox: Sandbox
  private let clock: PlayerClock
  private let options: Set<String>
  private let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
  private let keyring = InMemoryTokenStorage()
  private let database = InMemoryTokenStorage()
  private var environment: [String: String] = [:]
  private var words: [String: String] = [:]

  init(_ options: Set<String>) throws {
    self.options = options
    clock = PlayerClock(
      base: ManualClock(now: try Timestamp(rfc3339: "2026-11-22T12:00:00Z")), isHasty: options.contains("polling"))
    var configuration = CommandHarness.configuration
    configuration.registrationAccess = .open
    configuration.resources = ["https://api.invalid/mcp"]
    configuration.otherUsers = [
      Sandbox.User(subject: "2", givenName: "Ana", familyName: "Muestra", email: "ana@example.com")
    ]
    configuration.issuesRefreshTokens = !options.contains("without-refresh")
    sandbox = Sandbox(clock: clock, configuration: configuration)
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  func carryOut(_ line: String, _ more: [String]) async throws -> [String] {
    let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
    let rest = parts.count > 1 ? parts[1] : ""
    switch parts[0] {
    case "$", ">": return await ran(rest, typing: more, atTerminal: parts[0] == ">")
    case "SIGN-IN":
      let scopes = rest.isEmpty ? "openid email profile https://www.googleapis.com/auth/calendar" : rest
      let shown = await ran(
        "\(CommandHarness.signIn(scope: "").dropLast().joined(separator: " ")) \"\(scopes)\"", typing: [],
        atTerminal: false)
      _ = exchanges.taken()
      return shown.filter { $0.hasPrefix("?") }
    case "ADVANCE": clock.base.advance(by: .seconds(try #require(Int64(rest))))
    case "ENV":
      let pair = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      environment[pair[0]] = pair[1].isEmpty ? nil : filled(pair[1])
    case "FILE":
      let url = URL(filePath: home).appending(path: rest)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try filled(more.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    case "SHOW":
      let text = try? String(contentsOf: URL(filePath: home).appending(path: rest), encoding: .utf8)
      return shown(text ?? "none\n", "=")
    case "SERVE": try serve(rest.split(separator: " ").map { String($0) }, more)
    case "REVOKE": sandbox.revokeGrants()
    case "REJECT": sandbox.invalidateAccessTokens()
    case "DEVICE": exchanges.decideDevice(rest)
    case "SENT":
      let sent = exchanges.taken().filter { request in
        !Self.common.contains { request.url.absoluteString.hasSuffix($0) }
          && (rest != "CHANGES" || request.method != .get)
      }
      return sent.isEmpty ? ["= nothing"] : sent.flatMap { shown(Self.text(of: $0), "=") }
    default: Issue.record("\(line) is no line of a transcript.")
    }
    return []
  }

  private func serve(_ parts: [String], _ more: [String]) throws {
    let isField = { (line: String) in line.firstMatch(of: #/^[A-Z][A-Za-z0-9-]*: /#) != nil }
    var response = HTTPResponse(status: try #require(Int(parts[2])))
    for line in more.prefix(while: isField) {
      let field = line.components(separatedBy: ": ")
      response.fields.append(field[0], field.dropFirst().joined(separator: ": "))
    }
    response.body = Array(more.drop(while: isField).joined(separator: "\n").utf8)
    exchanges.set("\(parts[0]) \(parts[1])", response)
  }

  private func ran(_ text: String, typing lines: [String], atTerminal: Bool) async -> [String] {
    let typed = Mutex(lines[...])
    let (options, clock, sandbox) = (options, clock, sandbox)
    let console = ScriptedConsole(canAsk: atTerminal, showsOutput: atTerminal) { errors in
      guard let line = typed.withLock({ $0.popFirst() }) else { return nil }
      if options.contains("slow") {
        // All tasks that wait for this time have started. Let them write their output.
        for _ in 1...1000 { await Task.yield() }
        clock.base.advance(by: .seconds(30))
        for _ in 1...1000 { await Task.yield() }
      }
      guard line.hasPrefix("ALLOW") || line.hasPrefix("DENY"),
        let url = errors.components(separatedBy: "\n").last(where: { $0.hasPrefix("http") })
      else { return line }
      let page = try #require(URL(string: url))
      let callback = line.hasPrefix("DENY") ? try sandbox.deny(page) : try sandbox.approve(page)
      return callback.absoluteString.replacing("&iss=", with: line.hasSuffix("TWISTED") ? "&was=" : "&iss=")
    }
    let transport = exchanges.transport(over: sandbox.transport(), sandbox)
    let services = Services(
      environment: ["XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "HOME": home].merging(environment) { $1 },
      console: console,
      openStorage: { [home, keyring, database] name in
        // The transcripts need neither a keyring nor a database.
        if name == .keyring { return CommandStorage(keyring, at: name.rawValue) }
        if name == .postgresql { return CommandStorage(database, at: name.rawValue) { 0 } }
        let folder = URL(filePath: home).appending(path: "tokens")
        return CommandStorage(FileTokenStorage(directory: folder), at: FileTokenStorage(directory: folder).path)
      },
      clock: clock, makeTransport: { _ in transport },
      makeBrowser: { port, announce in
        BrowserUser(
          sandbox: sandbox, clock: clock.base, port: port, options: options, announce: announce, console: console)
      })
    let status = await Program(services: services).run(Self.arguments(filled(text)))
    if let json = try? JSONValue(json: Array(console.output.utf8)) {
      for (name, value) in json.object ?? [:] { if let value = value.string { words[name] = value } }
    }
    return shown(console.output, "=") + shown(console.errors, "!")
      + (status == .success ? [] : ["? \(status.rawValue)"])
  }

  private func filled(_ text: String) -> String {
    text.replacing("~", with: home).replacing(/\{([A-Za-z]+)\}/) { words[String($0.1)] ?? String($0.0) }
  }

  /// Splits a line into words.
  ///
  /// Double quotes keep spaces.
  private static func arguments(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  /// The ends of the URLs that nearly every command requests: the metadata, and the time zone of a calendar.
  private static let common = [
    "https://sandbox.invalid/.well-known/openid-configuration", "/events?maxResults=1&fields=timeZone",
  ]

  private static func text(of request: HTTPRequest) -> String {
    var text = "\(request.method.rawValue) \(request.url.absoluteString)\n"
    for field in request.fields
    where !["User-Agent", "Accept", "Content-Type"].contains(field.name) && !field.value.hasPrefix("Bearer ") {
      text += "\(field.name): \(field.value)\n"
    }
    if let body = request.body, !body.isEmpty { text += String(decoding: body, as: UTF8.self) + "\n" }
    return text
  }

  private func shown(_ text: String, _ mark: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines = normalized(options.contains("whole") ? text : shortened(text)).replacing("\u{1B}", with: "␛")
      .components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "⏎" }
    return lines.map { $0.isEmpty ? mark : "\(mark) \($0)" }
  }

  /// The sentences around a sign-in's URLs.
  private static let notices = [
    "Your browser shows the sign-in page. If it shows an error, end the sign-in here with Ctrl-C.",
    "If it shows nothing, open this URL:", "Open this URL in a browser on any computer, and sign in:",
    "The browser then fails to load a page at 127.0.0.1, as expected. Enter the whole URL of that page.",
    "Open this URL on another device:", "or open this URL, if it shows the same code:",
  ]

  /// Returns the text without the sentences around URLs, and with JSON on one line.
  private func shortened(_ text: String) -> String {
    let text = Self.notices.reduce(text) { $0.replacing("\($1)\n", with: "") }
    guard let start = text.firstRange(of: /(^|\n)[{\[]\n/)?.lowerBound else { return text }
    let json = text[start...].drop { $0 == "\n" }
    guard let value = try? JSONValue(json: Array(json.utf8)) else { return text }
    return text[..<json.startIndex] + String(decoding: value.json(), as: UTF8.self) + "\n"
  }

  /// Returns the text with placeholders for the parts that differ in every run.
  private func normalized(_ text: String) -> String {
    text.replacing(home, with: "~")
      .replacing(/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/, with: "JWT")
      .replacing(/c_[0-9a-f]{32}/, with: "c_CALENDAR").replacing(/"[0-9]{4,5}(\\?")/) { "\"ETAG\($0.1)" }
      .replacing(/eid=[A-Za-z0-9]+/, with: "eid=LINK").replacing(/\b[a-v0-9]{26}\b/, with: "EVENT")
      .replacing(/\b[a-v0-9]{26}(_[0-9]{8})/) { "EVENT\($0.1)" }
      .replacing(/(^|[^A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/) { "\($0.1)TOKEN" }
      .replacing(/(3D|2F|3F)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/) { "\($0.1)TOKEN" }
      .replacing(/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/, with: "USER-CODE")
      .replacing(/[0-9]+ ms/, with: "N ms")
  }
}

/// A clock that stands still, so no time limit is reached.
///
/// If it is hasty, the waits between polls end immediately.
struct PlayerClock: WallClock {
  let base: ManualClock
  let isHasty: Bool

  var now: Timestamp { base.now }
  var uptime: Duration { base.uptime }

  func sleep(for duration: Duration) async throws {
    // The explanation of an error page appears after 30 seconds.
    if isHasty, duration != .seconds(30) { base.advance(by: duration) } else { try await base.sleep(for: duration) }
  }
}

/// A user with a browser who reads the command's notices.
private struct BrowserUser: UserAgent {
  let sandbox: Sandbox
  let clock: ManualClock
  let port: Int
  let options: Set<String>
  let announce: @Sendable (BrowserNotice) -> Void
  let console: ScriptedConsole

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let redirectURI = "http://127.0.0.1:\(port == 0 ? 49_152 : port)/callback"
    let pending = try await begin(try #require(URL(string: redirectURI)))
    announce(.page(pending.authorizationURL, isShown: !options.contains("no-page")))
    if options.contains("forged") {
      announce(.refusedResponse)
      announce(.refusedRequest("The request target is malformed."))
    }
    if options.contains("slow") {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(30))
      while !console.errors.contains("then start it again.") { await Task.yield() }
    }
    let url = pending.authorizationURL
    let callback = options.contains("denying") ? try sandbox.deny(url) : try sandbox.approve(url)
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}

/// The responses that a transcript sets, and the requests.
private final class ScriptedExchanges: Sendable {
  private struct State {
    var responses: [String: HTTPResponse] = [:]
    var requests: [HTTPRequest] = []
    var decision = "ALLOW"
    var code: String?
  }

  private let state = Mutex(State())

  func set(_ call: String, _ response: HTTPResponse) { state.withLock { $0.responses[call] = response } }
  func decideDevice(_ decision: String) { state.withLock { $0.decision = decision } }

  func taken() -> [HTTPRequest] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  func transport(over base: any Transport, _ sandbox: Sandbox) -> any Transport {
    StubTransport { [self] request in
      let call = "\(request.method.rawValue) \(request.url.absoluteString)"
      let (scripted, decision) = state.withLock { state in
        state.requests.append(request)
        return (state.responses[call], (state.decision, state.code))
      }
      if let scripted { return scripted }
      guard request.url.host() == "sandbox.invalid" else { return HTTPResponse(status: 404) }
      let response = try await base.send(request)
      if let code = try? JSONValue(json: response.body)["user_code"]?.string {
        state.withLock { $0.code = code }
      } else if request.url.path() == "/token", response.status == 400, let code = decision.1 {
        state.withLock { $0.code = nil }
        switch decision.0 {
        case "WAIT": break
        case "DENY": try sandbox.deny(userCode: code)
        default: try sandbox.approve(userCode: code)
        }
      }
      return response
    }
  }
}
