// SPDX-License-Identifier: Apache-2.0

import Support

/// The loop of a client's thread: it alone uses the open connections, and waits for their sockets, for deadlines and for commands.
final class DatabaseLoop {
  /// The identifier of the mailbox's pipe in the readiness set.
  static let wakeID = 0
  /// The maximum time of the check of a connection before its use.
  static let checkLimit = Duration.seconds(2)

  let configuration: PostgreSQLConfiguration
  let mailbox: DatabaseMailbox
  private let pipe: WakePipe
  let readiness: ReadinessSet

  var connections: [Int: PooledConnection] = [:]
  /// The connections kept by callers.
  var checkouts: [Int: PooledConnection] = [:]
  /// The requests for which no connection is free.
  var waiting = WaitingLine<DatabaseRequest>()
  /// The identifiers of the requests in `waiting`.
  var waitingIDs: Set<Int> = []
  /// The connection that works on each request.
  var active: [Int: PooledConnection] = [:]
  /// The attempts to connect, each with its request if it needs a connection of its own.
  var attempts: [Int: (attempt: ConnectionAttempt, request: DatabaseRequest?)] = [:]
  var deadlines = DeadlineQueue<Int, ContinuousClock.Instant>()
  /// The deadlines of the checks, by connection.
  var checks = DeadlineQueue<Int, ContinuousClock.Instant>()
  /// The instants when idle connections are closed.
  var idle = DeadlineQueue<Int, ContinuousClock.Instant>()
  var backoff = ReconnectionBackoff()
  /// Whether new connections prepare statements: not after a server had none of them, as behind an undetected pooler.
  var keepsStatements = true
  private var ready: [ReadyDescriptor] = []
  var now = ContinuousClock.now

  init(configuration: PostgreSQLConfiguration, mailbox: DatabaseMailbox, pipe: WakePipe, readiness: ReadinessSet) {
    self.configuration = configuration
    self.mailbox = mailbox
    self.pipe = pipe
    self.readiness = readiness
  }

  /// Serves until the mailbox requests a stop.
  func run() {
    var commands = mailbox.take()
    var isStopping = false
    while !isStopping {
      now = .now
      for command in commands {
        if case .stop = command { isStopping = true } else { carryOut(command) }
      }
      expire()
      dispatch()
      closeIdle()
      if !isStopping { commands = wait() }
    }
    stop()
  }

  private func carryOut(_ command: DatabaseMailbox.Command) {
    switch command {
    case .start(let request): start(request)
    case .cancel(let id): cancel(id)
    case .discard(let checkout): if let connection = checkouts[checkout] { close(connection, nil) }
    case .connected(let attempt, let result): finish(attempt, result)
    case .stop: break
    }
  }

  private func stop() {
    let error = PostgreSQLError(.closed, "The client was closed. Create another one.")
    for attempt in attempts.values { attempt.attempt.stop() }
    for request in attempts.values.compactMap(\.request) { request.fail(error) }
    for connection in Array(connections.values) { close(connection, nil) }
    // Last: closing a connection that is being checked enqueues its request again.
    while let request = waiting.removeFirst() { request.fail(error) }
    for command in mailbox.end() {
      if case .start(let request) = command { request.fail(error) }
    }
  }
}

// MARK: Waiting

extension DatabaseLoop {
  /// Waits for sockets, commands and deadlines, and serves the sockets.
  ///
  /// - Returns: The commands.
  private func wait() -> [DatabaseMailbox.Command] {
    var times = [deadlines.earliest()?.deadline, checks.earliest()?.deadline, idle.earliest()?.deadline]
    if waiting.count > 0 { times.append(backoff.end(after: now)) }
    let milliseconds = times.compactMap(\.self).min().map {
      Int32(clamping: ($0 - .now + .milliseconds(1)).milliseconds)
    }
    readiness.wait(milliseconds: mailbox.beginWait() ? milliseconds ?? -1 : 0, into: &ready)
    // Before the sockets are served, so that no command wakes the thread meanwhile.
    let commands = mailbox.take()
    now = .now
    for entry in ready {
      if entry.id == Self.wakeID { pipe.clear() } else if let connection = connections[entry.id] { serve(connection) }
    }
    return commands
  }

  private func expire() {
    while let id = checks.removeEarliest(dueAt: now) {
      guard let connection = connections[id], case .checking(let request) = connection.phase else { continue }
      // The statement was not sent, so another connection can carry it out.
      connection.phase = .kept
      active[request.id] = nil
      close(connection, nil)
      enqueue(request)
    }
    while let id = deadlines.removeEarliest(dueAt: now) { expire(id) }
  }

  /// Closes connections that no request has used for too long.
  private func closeIdle() {
    while let id = idle.removeEarliest(dueAt: now) {
      if let connection = connections[id] { close(connection, nil) }
    }
  }

  private func expire(_ id: Int) {
    if let connection = active[id] {
      let isSent = if case .running = connection.phase { true } else { false }
      close(connection, .timedOut(at: connection.session.place, after: configuration.timeout, isSent: isSent))
    } else if waitingIDs.remove(id) != nil, let request = waiting.remove(id) {
      request.fail(backoff.lastError ?? .noConnection(of: configuration.maximumConnections, for: configuration.timeout))
    } else if let (number, entry) = attempts.first(where: { $0.value.request?.id == id }) {
      entry.request?.fail(backoff.lastError ?? .noConnection(of: 1, for: configuration.timeout))
      attempts[number]?.request = nil
    } else if let connection = checkouts[id] {
      // The transaction was kept open for too long.
      close(connection, nil)
    }
  }
}
