// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Timekeeping
import TokenStore

/// A fault of the database that a simulation must find.
package enum PlantedFault: CaseIterable, Sendable, Codable {
  /// Statements do not compare the version.
  case noVersionCheck
  /// Leases are measured with the clock of the machine that sends the statement.
  case leaseByMachineClock
  /// A write is refused if the writer's lease has ended.
  case staleWriteDropped
  /// Intents are not stored.
  case noIntent
}

/// Ten machines that refresh the token of one account in a database, while anything can fail.
///
/// The machines run `RefreshingTokenSource`, `OAuthClient` and `LeasedTokenStorage`. The rest are models.
package struct Simulation {
  private enum Fault {
    case crash, pause, partition, databaseOutage, providerOutage, failover, failoverLosingCommits
  }

  /// The faults, by their frequency.
  private static let faults: [Fault] = [
    .crash, .crash, .pause, .pause, .pause, .partition, .partition, .partition, .databaseOutage, .providerOutage,
    .failover, .failoverLosingCommits,
  ]
  private static let machineCount = 10
  private static let lastFault = Duration.seconds(240)
  private static let longestFault = 90.0
  /// The end of all faults.
  private static let calm = Duration.seconds(340)
  /// The longest time until every machine has a token.
  private static let patience = Duration.seconds(120)

  private let scheduler: Scheduler
  private let services: Services
  private let programs = Programs()

  /// Runs the history of a seed.
  package static func run(seed: UInt64, planting fault: PlantedFault? = nil) -> History {
    let simulation = Simulation(seed, fault)
    simulation.run()
    return simulation.services.history
  }

  private init(_ seed: UInt64, _ fault: PlantedFault?) {
    scheduler = Scheduler(seed: seed)
    services = Services(scheduler, fault)
  }

  private func run() {
    scheduler.run(until: Self.calm + Self.patience) {
      for number in 0..<Self.machineCount { start(number) }
      Task.detached { try await signInWhenNeeded() }
      Task.detached { try await makeFaults() }
      Task.detached { try await finish() }
    }
  }

  /// Starts a machine's program, which needs a token from time to time.
  private func start(_ number: Int) {
    let machine = Machine(number, scheduler)
    guard let program = try? Program(machine, services) else { return services.history.violate("no client") }
    programs[number] = program
    Task.detached {
      while true {
        try await machine.sleep(for: scheduler.seconds(5...50))
        _ = try await use(program)
      }
    }
  }

  /// Returns whether a program obtains a token.
  private func use(_ program: Program) async throws -> Bool {
    let (machine, history, start) = (program.machine, services.history, scheduler.now)
    do {
      let token = try await program.source.accessToken(replacing: nil)
      guard machine.isRunning else { return false }
      history.use(token.value.reveal(), at: scheduler.now)
      return true
    } catch {
      try await machine.proceed()
      history.add("machine \(machine.number): \(error)", at: scheduler.now)
      if (error as? OAuthError)?.code == .signInRequired {
        let isAccepted = services.storedToken.map { services.provider.accepts($0, at: scheduler.now) } ?? false
        if !isAccepted { services.needsSignIn = true }
        if isAccepted, history.lastWrite < start {
          history.violate("\(scheduler.now): machine \(machine.number) requires a sign-in without need")
        }
      }
      return false
    }
  }

  private func signInWhenNeeded() async throws {
    while true {
      try await scheduler.sleep(for: scheduler.seconds(1...10))
      guard services.needsSignIn else { continue }
      services.needsSignIn = false
      let refreshToken = services.provider.signIn()
      let token = StoredToken(
        accessToken: Secret("a.\(refreshToken)"), expiresAt: .unixEpoch, refreshToken: Secret("\(refreshToken)"),
        scopes: ["read"], issuer: Fixtures.server().issuer, clientID: "app")
      do {
        try await programs[scheduler.number(0..<Self.machineCount)].storage.withExclusiveAccess(to: services.account) {
          try await $0.write(token)
        }
      } catch {
        services.needsSignIn = true
      }
    }
  }

  private func makeFaults() async throws {
    while scheduler.now < Self.lastFault {
      try await scheduler.sleep(for: scheduler.seconds(1...15))
      let machine = try await victim()
      let fault = Self.faults[scheduler.number(0..<Self.faults.count)]
      let time = scheduler.seconds(1...Self.longestFault)
      services.history.add("\(fault), machine \(machine.number), \(time)", at: scheduler.now)
      switch fault {
      case .crash:
        services.history.disturb(machine.number, at: scheduler.now)
        machine.crash()
        start(machine.number)
      case .pause:
        services.history.disturb(machine.number, at: scheduler.now)
        machine.pause(for: time)
      case .partition: machine.partition(for: time)
      case .databaseOutage: services.stopDatabase(for: time / 3)
      case .providerOutage: services.stopProvider(for: time / 3)
      case .failover: services.failOver(losingCommits: false)
      case .failoverLosingCommits: services.failOver(losingCommits: true)
      }
    }
  }

  /// Returns the machine that a fault affects, often one with a request in progress.
  private func victim() async throws -> Machine {
    if scheduler.happens(0.7) {
      for _ in 0..<40 {
        if let sender = services.history.sender { return programs[sender].machine }
        try await scheduler.sleep(for: .milliseconds(250))
      }
    }
    return programs[scheduler.number(0..<Self.machineCount)].machine
  }

  /// Ends all faults, and requires a token on each machine.
  private func finish() async throws {
    try await scheduler.sleep(until: Self.calm)
    services.endFaults()
    for number in 0..<Self.machineCount {
      let program = programs[number]
      Task.detached {
        while try await !use(program) { try await scheduler.sleep(for: .seconds(20)) }
        services.history.serve(number)
      }
    }
    try await scheduler.sleep(until: Self.calm + Self.patience)
    services.history.checkReceived(at: scheduler.now)
    services.history.checkServed(0..<Self.machineCount)
  }
}

/// The program of a machine.
private struct Program: Sendable {
  let machine: Machine
  let storage: LeasedTokenStorage
  let source: RefreshingTokenSource

  init(_ machine: Machine, _ services: Services) throws {
    self.machine = machine
    let connection = MachineConnection(machine: machine, services: services)
    storage = LeasedTokenStorage(
      rows: DatabaseRows(services.database, connection), clock: MachineLeaseClock(machine: machine))
    let client = try OAuthClient(
      server: Fixtures.server(), registration: ClientRegistration(clientID: "app"),
      transport: MachineTransport(machine: machine, services: services), clock: MachineWallClock(machine: machine))
    source = RefreshingTokenSource(
      client: client, storage: storage, account: services.account, leeway: .seconds(10))
  }
}

/// The running programs.
private final class Programs: Sendable {
  private let running = Mutex<[Int: Program]>([:])

  subscript(number: Int) -> Program {
    get {
      guard let program = running.withLock({ $0[number] }) else { preconditionFailure("no machine \(number)") }
      return program
    }
    set { running.withLock { $0[number] = newValue } }
  }
}
