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

/// The program in this process, with tokens in memory, settings in a temporary folder, and the test's transport.
final class CommandHarness: Sendable {
  /// The result of a command.
  struct Result {
    let status: AlmanacCLI.ExitStatus
    let output: String
    let errors: String

    /// Standard output as JSON.
    var json: JSONValue { get throws { try JSONValue(json: Array(output.utf8)) } }
    /// The error that was written as JSON, after the notices to the user.
    var error: JSONValue? {
      guard let start = errors.range(of: "{\n  \"error\"") else { return nil }
      return (try? JSONValue(json: Array(errors[start.lowerBound...].utf8)))?["error"]
    }
  }

  let sandbox: Sandbox
  let storage: InMemoryTokenStorage
  /// The storages other than `storage`, which stands for the files.
  private let others: [StorageName: any TokenStorage]
  /// Closes each of them.
  private let close: @Sendable () async throws -> Void
  let clock: any WallClock
  /// The home folder, with the settings and other files.
  let home: String
  private let transport: any Transport
  /// The additional arguments of every command.
  private let options: [String]
  private let userAgent: any UserAgent

  /// Returns a sandbox with fast key generation, so concurrent tests do not delay those with their own processes.
  static let configuration = Sandbox.Configuration { $0.idTokenAlgorithm = .es256 }

  /// - Parameters:
  ///   - clock: The clock of the program and the sandbox.
  ///   - transport: The transport of the program. Defaults to the sandbox.
  ///   - storages: The storages other than files.
  ///   - close: Closes each of these storages.
  ///   - userAgent: The user with a browser. Defaults to a user who allows everything.
  init(
    clock: some WallClock = SystemClock(), configuration: Sandbox.Configuration = CommandHarness.configuration,
    transport: (@Sendable (any Transport) -> any Transport)? = nil, options: [String] = [],
    storages: [StorageName: any TokenStorage] = [:], closing close: @escaping @Sendable () async throws -> Void = {},
    userAgent: (Sandbox) -> any UserAgent = { $0.approvingUser }
  ) {
    self.options = options
    (others, self.close) = (storages, close)
    storage = InMemoryTokenStorage()
    home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
    sandbox = Sandbox(clock: clock, configuration: configuration)
    self.userAgent = userAgent(sandbox)
    self.clock = clock
    let base: any Transport = sandbox.transport()
    self.transport = transport?(base) ?? base
  }

  /// Creates the program of another harness's user, with the same tokens and settings, over another transport.
  ///
  /// - Parameter clock: The clock of the program, or `nil` for the other harness's clock.
  init(
    sharing other: CommandHarness, clock: (any WallClock)? = nil, transport: @Sendable (any Transport) -> any Transport
  ) {
    (options, storage, others, close) = (other.options, other.storage, other.others, other.close)
    (home, sandbox) = (other.home, other.sandbox)
    self.clock = clock ?? other.clock
    userAgent = other.userAgent
    self.transport = transport(other.transport)
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// - Parameters:
  ///   - environment: Additional environment variables.
  ///   - kill: The end of the program before it has finished.
  func run(
    _ arguments: [String], environment: [String: String] = [:], console: ScriptedConsole = ScriptedConsole(),
    kill: Kill? = nil
  ) async -> Result {
    let (userAgent, transport) = (userAgent, kill?.transport(over: transport) ?? transport)
    let proxied = { @Sendable (certificate: ClientCertificate) in certificate.told(to: transport) }
    let services = Services(
      environment: ["XDG_CONFIG_HOME": home, "HOME": home].merging(environment) { $1 }, console: console,
      openStorage: { [storage, others, close] name in
        if name == .file { return CommandStorage(kill?.storage(over: storage) ?? storage) }
        let other = try #require(others[name])
        return CommandStorage(kill?.storage(over: other) ?? other, close: close)
      },
      files: kill?.files ?? SystemFiles(), clock: clock,
      makeTransport: { $0.map(proxied) ?? transport }, makeBrowser: { _, _ in userAgent })
    let status = await Program(services: services).run(arguments + options)
    return Result(status: status, output: console.output, errors: console.errors)
  }

  func run(_ arguments: String..., console: ScriptedConsole = ScriptedConsole()) async -> Result {
    await run(arguments, console: console)
  }

  /// The name of the default account's record for the tests' client.
  static let record = RecordName(account: "default", clientID: "almanac").description

  /// Returns the token that is stored for the default account and its only client.
  func token() async throws -> StoredToken? {
    let records = try await storage.accounts().filter { RecordName($0)?.account == "default" }
    try #require(records.count <= 1, "\(records)")
    guard let record = records.first else { return nil }
    return try await storage.token(for: record)
  }

  /// Returns a program whose user is signed in, with a scripted API.
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
  /// Returns the transport of a proxy that terminates TLS and forwards the client certificate to the server
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
