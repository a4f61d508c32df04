// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// The program in this process: tokens in memory, settings in a folder of its own, and a transport of the test's.
final class CommandHarness: Sendable {
  /// What a command did.
  struct Result {
    let status: AlmanacCLI.ExitStatus
    let output: String
    let errors: String

    /// Standard output as JSON.
    var json: JSONValue { get throws { try JSONValue(json: Array(output.utf8)) } }
    /// The error that was written as JSON, after what was told the user.
    var error: JSONValue? {
      guard let start = errors.range(of: "{\n  \"error\"") else { return nil }
      return (try? JSONValue(json: Array(errors[start.lowerBound...].utf8)))?["error"]
    }
  }

  let sandbox: Sandbox
  let storage: InMemoryTokenStorage
  let clock: any WallClock
  /// The folder of the settings and of what is kept beside them.
  let home: String
  private let transport: any Transport
  /// What every command is given in addition.
  private let options: [String]
  private let userAgent: any UserAgent

  /// A sandbox whose keys are made quickly, so that many tests at a time do not starve those with processes of their own.
  static let configuration = Sandbox.Configuration(idTokenAlgorithm: .es256)

  /// - Parameters:
  ///   - clock: The clock of the program and the sandbox.
  ///   - transport: What the program sends through; by default the sandbox.
  ///   - userAgent: The user with a browser; by default one who allows everything.
  init(
    clock: some WallClock = SystemClock(), configuration: Sandbox.Configuration = CommandHarness.configuration,
    transport: (@Sendable (any Transport) -> any Transport)? = nil, options: [String] = [],
    userAgent: (Sandbox) -> any UserAgent = { $0.approvingUser }
  ) {
    self.options = options
    storage = InMemoryTokenStorage()
    home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
    sandbox = Sandbox(clock: clock, configuration: configuration)
    self.userAgent = userAgent(sandbox)
    self.clock = clock
    let base: any Transport = sandbox.transport()
    self.transport = transport?(base) ?? base
  }

  /// The program of another one's user, who keeps tokens and settings, over another transport.
  ///
  /// - Parameter clock: The clock of the program; `nil` for the other one's.
  init(
    sharing other: CommandHarness, clock: (any WallClock)? = nil, transport: @Sendable (any Transport) -> any Transport
  ) {
    (options, storage, home, sandbox) = (other.options, other.storage, other.home, other.sandbox)
    self.clock = clock ?? other.clock
    userAgent = other.userAgent
    self.transport = transport(other.transport)
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// - Parameter environment: Variables in addition to those of the harness.
  func run(
    _ arguments: [String], environment: [String: String] = [:], console: ScriptedConsole = ScriptedConsole()
  ) async -> Result {
    let (userAgent, transport) = (userAgent, transport)
    let proxied = { @Sendable (certificate: ClientCertificate) in certificate.told(to: transport) }
    let services = Services(
      environment: ["XDG_CONFIG_HOME": home, "HOME": home].merging(environment) { $1 }, console: console,
      storage: storage, clock: clock,
      makeTransport: { $0.map(proxied) ?? transport }, makeBrowser: { _, _ in userAgent })
    let status = await Program(services: services).run(arguments + options)
    return Result(status: status, output: console.output, errors: console.errors)
  }

  func run(_ arguments: String..., console: ScriptedConsole = ScriptedConsole()) async -> Result {
    await run(arguments, console: console)
  }

  /// The name of the record that the tests' client keeps for the account that no option names.
  static let record = RecordName(account: "default", clientID: "almanac").description

  /// Returns what is stored for the account that no option names, by the only client that it has.
  func token() async throws -> StoredToken? {
    let records = try await storage.accounts().filter { RecordName($0)?.account == "default" }
    try #require(records.count <= 1, "\(records)")
    guard let record = records.first else { return nil }
    return try await storage.token(for: record)
  }

  /// A program whose user has signed in before, in front of an API that the test writes.
  static func signedIn(to api: ScriptedCalendarAPI, at now: String = "2026-11-22T12:00:00Z") async throws
    -> CommandHarness
  {
    let clock = ManualClock(now: try Timestamp(rfc3339: now), skipsWaits: true)
    let harness = CommandHarness(
      clock: clock, transport: api.transport,
      options: [
        "--issuer", "https://sandbox.invalid", "--api-url", "https://sandbox.invalid", "--client-id", "almanac",
      ])
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { slot in
      try await slot.write(
        StoredToken(accessToken: Secret("token"), issuer: "https://sandbox.invalid", clientID: "almanac"))
    }
    return harness
  }

  /// The arguments that sign in at the sandbox.
  static func signIn(scope: String) -> [String] {
    [
      "sign-in", "--issuer", "https://sandbox.invalid", "--api-url", "https://sandbox.invalid", "--client-id",
      "almanac",
      "--scope", scope,
    ]
  }

  /// Signs in with a user who allows everything.
  @discardableResult
  func signIn(scope: String = "openid email profile https://www.googleapis.com/auth/calendar") async throws -> Self {
    let result = await run(Self.signIn(scope: scope))
    try #require(result.status == .success, "\(result.errors)")
    return self
  }
}

extension ClientCertificate {
  /// Returns the transport of a proxy that ends TLS, and tells the server which certificate it has seen
  /// ([RFC 9440](https://www.rfc-editor.org/rfc/rfc9440.html)).
  fileprivate func told(to base: any Transport) -> any Transport {
    let lines = certificate.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    return StubTransport { request in
      var request = request
      request.fields["Client-Cert"] = ":\(lines.joined()):"
      return try await base.send(request)
    }
  }
}
