// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthFixtures
import Synchronization
import TokenStore

/// The services that all machines use, and whether they are available.
final class Services: Sendable {
  private struct State {
    var databaseDownUntil = Duration.zero
    var databaseJump = Duration.zero
    var providerDownUntil = Duration.zero
    var isFaulty = true
    var needsSignIn = true
  }

  let database: Database
  let provider: ModelProvider
  let history = History()
  let scheduler: Scheduler
  let account = "ada"
  private let fault: PlantedFault?
  private let state = Mutex(State())

  init(_ scheduler: Scheduler, _ fault: PlantedFault?) {
    (self.scheduler, self.fault) = (scheduler, fault)
    provider = ModelProvider(grace: scheduler.happens(0.5) ? .seconds(60) : .zero)
    database = Database(fault) { [history] record in
      guard let (accessToken, token) = Self.tokens(in: record) else { return history.violate("a record was damaged") }
      history.store(accessToken, token, at: scheduler.now)
    }
  }

  private static func tokens(in record: [UInt8]?) -> (accessToken: String, RefreshToken)? {
    guard let record, case .token(let stored)? = try? TokenRecord.decode(record, at: "the row"),
      let token = RefreshToken(stored.refreshToken?.reveal() ?? "")
    else { return nil }
    return (stored.accessToken.reveal(), token)
  }

  /// The stored refresh token.
  var storedToken: RefreshToken? { Self.tokens(in: database.record(of: account))?.1 }

  var isDatabaseDown: Bool { state.withLock { $0.databaseDownUntil > scheduler.now } }
  var isProviderDown: Bool { state.withLock { $0.providerDownUntil > scheduler.now } }
  /// Whether the user has to sign in again.
  var needsSignIn: Bool {
    get { state.withLock(\.needsSignIn) }
    set { state.withLock { $0.needsSignIn = newValue } }
  }

  func stopDatabase(for time: Duration) { state.withLock { $0.databaseDownUntil = scheduler.now + time } }
  func stopProvider(for time: Duration) { state.withLock { $0.providerDownUntil = scheduler.now + time } }
  func endFaults() { state.withLock { $0.isFaulty = false } }

  /// Decides whether a fault of the network or the provider happens.
  func happens(_ probability: Double) -> Bool { scheduler.happens(probability) && state.withLock(\.isFaulty) }

  /// The database's clock, or the machine's if that fault is planted.
  func databaseTime(for machine: Machine) -> Duration {
    .seconds(1000) + scheduler.now + (fault == .leaseByMachineClock ? machine.skew : state.withLock(\.databaseJump))
  }

  /// Lets a standby take over, whose clock differs by less than the margin of the lease.
  func failOver(losingCommits: Bool) {
    stopDatabase(for: scheduler.seconds(1...10))
    if losingCommits {
      database.loseCommits(
        since: .seconds(1000) + scheduler.now + state.withLock(\.databaseJump) - scheduler.seconds(0...2))
      history.loseCommits(keeping: storedToken, at: scheduler.now)
    }
    let jump = scheduler.seconds(-0.9...0.9)
    state.withLock { $0.databaseJump = jump }
  }
}

/// A machine's connections to the database, which delay, lose and repeat messages.
struct MachineConnection: DatabaseConnection {
  let machine: Machine
  let services: Services

  func execute<Output: Sendable>(_ statement: @escaping @Sendable (_ now: Duration) throws -> Output) async throws
    -> Output
  {
    let scheduler = services.scheduler
    try await machine.proceed()
    let isUnreachable = machine.isPartitioned || services.isDatabaseDown
    if isUnreachable { services.history.disturb(machine.number, at: scheduler.now) }
    if isUnreachable || services.happens(0.01) { throw try await failure("The database does not respond.") }
    // A message that is delayed is executed when the machine no longer waits for it.
    let isDelayed = services.happens(0.01)
    if isDelayed || services.happens(0.01) {
      Task {
        try await scheduler.sleep(for: scheduler.seconds(1...30))
        _ = try statement(services.databaseTime(for: machine))
      }
    }
    if isDelayed { throw try await failure("The message was delayed.") }
    try await scheduler.sleep(for: scheduler.seconds(0...0.05))
    let output = try statement(services.databaseTime(for: machine))
    if services.happens(0.02) { throw try await failure("The response was lost.") }
    try await machine.sleep(for: scheduler.seconds(0...0.05))
    return output
  }

  /// Waits for the time limit of a statement, and returns an error with an unknown outcome.
  private func failure(_ message: String) async throws -> LeasedRowsError {
    try await machine.sleep(for: .seconds(2))
    return LeasedRowsError(TokenStorageError(.unavailable, message))
  }

  /// Polls, since a notice can be lost.
  ///
  /// The storage chooses a longer `time` at random, so it does not decide.
  func wait(atMost time: Duration) async throws {
    let pause = services.scheduler.seconds(0.5...3)
    try await machine.sleep(for: time < .milliseconds(500) ? time : pause)
  }
}

/// A machine's connections to the provider.
struct MachineTransport: Transport {
  let machine: Machine
  let services: Services

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (scheduler, history) = (services.scheduler, services.history)
    try await machine.proceed()
    if let deadline = request.sendingDeadline, deadline < MachineLeaseClock(machine: machine).now {
      throw TransportError(.sendingDeadlinePassed, "The deadline has passed.")
    }
    if services.happens(0.05) { throw TransportError(.unreachable, "The connection was refused.") }
    guard let token = RefreshToken(request.form["refresh_token"] ?? "") else { return HTTPResponse(status: 400) }
    let sent = scheduler.now
    history.add("machine \(machine.number) sends \(token)", at: sent)
    history.send(token, by: machine, at: sent)
    let isDown = services.isProviderDown
    let time = scheduler.seconds(services.happens(0.2) ? 5...24 : 0.05...1)
    // The provider processes the request even if the machine crashes. The task does not end with the caller.
    try await Task { try await scheduler.sleep(for: time) }.value
    if isDown || services.happens(0.05) {
      history.close(token, isSpent: false)
      try await machine.proceed()
      return Fixtures.json(#"{"error":"temporarily_unavailable"}"#, status: isDown ? 503 : 429)
    }
    let outcome = services.provider.refresh(token, at: scheduler.now)
    history.spend(token, sent: sent, isReuse: outcome.isReuse, at: scheduler.now)
    history.close(token, isSpent: true)
    if services.happens(0.02) {
      history.loseResponse(to: token)
      try await machine.sleep(for: .seconds(3))
      throw TransportError(.connectionLost, "The response was lost.")
    }
    try await machine.sleep(for: scheduler.seconds(0.05...1))
    if let new = outcome.token { history.receive(new, by: machine, sent: sent) }
    return outcome.response
  }
}
