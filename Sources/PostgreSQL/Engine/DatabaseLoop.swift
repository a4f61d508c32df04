// SPDX-License-Identifier: Apache-2.0

import Support

/// The loop of a client's thread: it alone uses the open connections, and waits for their sockets, for deadlines and for commands.
final class DatabaseLoop {
  /// The identifier of the mailbox's pipe in the readiness set.
  static let wakeID = 0
  /// The maximum time of the check of a connection before its use.
  private static let checkLimit = Duration.seconds(2)

  private let configuration: PostgreSQLConfiguration
  private let mailbox: DatabaseMailbox
  private let pipe: WakePipe
  private let readiness: ReadinessSet

  private var connections: [Int: PooledConnection] = [:]
  /// The connections kept by callers.
  private var checkouts: [Int: PooledConnection] = [:]
  /// The requests for which no connection is free.
  private var waiting = WaitingLine<DatabaseRequest>()
  /// The identifiers of the requests in `waiting`.
  private var waitingIDs: Set<Int> = []
  /// The connection that works on each request.
  private var active: [Int: PooledConnection] = [:]
  /// The attempts to connect, each with its request if it needs a connection of its own.
  private var attempts: [Int: (attempt: ConnectionAttempt, request: DatabaseRequest?)] = [:]
  private var deadlines = DeadlineQueue<Int, ContinuousClock.Instant>()
  /// The deadlines of the checks, by connection.
  private var checks = DeadlineQueue<Int, ContinuousClock.Instant>()
  /// The instants when idle connections are closed.
  private var idle = DeadlineQueue<Int, ContinuousClock.Instant>()
  private var backoff = ReconnectionBackoff()
  private var ready: [ReadyDescriptor] = []
  private var now = ContinuousClock.now

  init(configuration: PostgreSQLConfiguration, mailbox: DatabaseMailbox, pipe: WakePipe, readiness: ReadinessSet) {
    self.configuration = configuration
    self.mailbox = mailbox
    self.pipe = pipe
    self.readiness = readiness
  }

  /// Serves until the mailbox requests a stop.
  func run() {
    var isStopping = false
    while !isStopping {
      now = .now
      for command in mailbox.take() {
        if case .stop = command { isStopping = true } else { carryOut(command) }
      }
      expire()
      dispatch()
      if !isStopping { wait() }
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
  private func wait() {
    var times = [deadlines.earliest()?.deadline, checks.earliest()?.deadline, idle.earliest()?.deadline]
    if waiting.count > 0 { times.append(backoff.end(after: now)) }
    let milliseconds = times.compactMap(\.self).min().map {
      Int32(clamping: ($0 - .now + .milliseconds(1)).milliseconds)
    }
    readiness.wait(milliseconds: milliseconds ?? -1, into: &ready)
    now = .now
    for entry in ready {
      if entry.id == Self.wakeID { pipe.clear() } else if let connection = connections[entry.id] { serve(connection) }
    }
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

// MARK: Requests

extension DatabaseLoop {
  private func start(_ request: DatabaseRequest) {
    guard request.deadline > now else {
      return request.fail(.noConnection(of: configuration.maximumConnections, for: configuration.timeout))
    }
    deadlines[request.id] = request.deadline
    switch request.role {
    case .single, .begins: enqueue(request)
    case .continues(let checkout), .ends(let checkout):
      guard let connection = checkouts[checkout], connection.request == nil else {
        deadlines[request.id] = nil
        return request.fail(.transactionEnded)
      }
      if case .ends = request.role, request.statement.isCommit, connection.session.isFailed {
        // The server would roll back and report success.
        deadlines[request.id] = nil
        request.fail(.transactionFailed(at: connection.session.place))
        return close(connection, nil)
      }
      run(request, on: connection)
    case .listens: connect(for: request)
    }
  }

  private func enqueue(_ request: DatabaseRequest) {
    waiting.append(request, id: request.id)
    waitingIDs.insert(request.id)
  }

  private func cancel(_ id: Int) {
    deadlines[id] = nil
    if waitingIDs.remove(id) != nil { _ = waiting.remove(id) }
    for (number, entry) in attempts where entry.request?.id == id { attempts[number]?.request = nil }
    guard let connection = active.removeValue(forKey: id) else { return }
    // Otherwise, `close` would enqueue the request again if the connection is being checked.
    connection.phase = .kept
    // The server's own limit ends the statement. libpq's cancellation would block, and is not encrypted.
    close(connection, nil)
  }

  /// Gives free connections to waiting requests, and opens more connections if there are too few.
  private func dispatch() {
    while waiting.count > 0, let connection = freeConnection() {
      guard let request = waiting.removeFirst() else { return }
      waitingIDs.remove(request.id)
      begin(request, on: connection)
    }
    let opening = attempts.values.count { $0.request == nil }
    let pooled = connections.values.count { $0.receive == nil }
    let missing = min(waiting.count - opening, configuration.maximumConnections - pooled - opening)
    guard missing > 0, backoff.end(after: now) == nil else { return }
    // While no server is reachable, one attempt at a time.
    for _ in 0..<(backoff.lastError == nil ? missing : opening == 0 ? 1 : 0) { connect(for: nil) }
  }

  /// Returns the free connection that was used last, so the others become idle and are closed.
  private func freeConnection() -> PooledConnection? {
    var best: (connection: PooledConnection, since: ContinuousClock.Instant)?
    for connection in connections.values {
      guard case .idle(let since) = connection.phase else { continue }
      if best.map({ since > $0.since }) ?? true { best = (connection, since) }
    }
    return best?.connection
  }

  private func begin(_ request: DatabaseRequest, on connection: PooledConnection) {
    guard case .idle(let since) = connection.phase, now - since >= configuration.healthCheckInterval else {
      return run(request, on: connection)
    }
    idle[connection.id] = nil
    active[request.id] = connection
    connection.phase = .checking(request)
    checks[connection.id] = now + Self.checkLimit
    send("", on: connection)
  }

  private func run(_ request: DatabaseRequest, on connection: PooledConnection) {
    idle[connection.id] = nil
    active[request.id] = connection
    connection.phase = .running(request, nil)
    switch request.role {
    case .begins(let checkout):
      keep(connection, for: checkout)
      deadlines[checkout] = request.deadline
    case .listens(let checkout, let receive):
      keep(connection, for: checkout)
      connection.receive = receive
    case .single, .continues, .ends: break
    }
    send(request.statement, on: connection)
  }

  private func keep(_ connection: PooledConnection, for checkout: Int) {
    connection.checkout = checkout
    checkouts[checkout] = connection
  }
}

// MARK: Connections

extension DatabaseLoop {
  private func connect(for request: DatabaseRequest?) {
    let id = mailbox.nextID()
    let attempt = ConnectionAttempt(configuration, deadline: now + configuration.timeout)
    attempts[id] = (attempt, request)
    let isStarted = DetachedThread.start { [mailbox] in
      // If the loop has ended, the session is closed here.
      mailbox.post(.connected(attempt: id, attempt.run()))
    }
    if !isStarted {
      finish(
        id,
        .failure(
          PostgreSQLError(
            .unreachable, "The connection's thread could not be started. Raise the process's limit for threads.",
            isRetriable: true)))
    }
  }

  private func finish(_ id: Int, _ result: Result<Session, PostgreSQLError>) {
    guard let (_, request) = attempts.removeValue(forKey: id) else { return }
    switch result {
    case .success(let session):
      backoff.reset()
      let connection = PooledConnection(id: mailbox.nextID(), session: session, now: now)
      connections[connection.id] = connection
      guard readiness.add(session.socket, .reading, id: connection.id) else {
        request?.fail(.connectionLost(at: session.place))
        return close(connection, nil)
      }
      connection.watched = .reading
      if let request { listen(request, on: connection) } else { release(connection) }
    case .failure(let error):
      backoff.fail(error, now: now)
      if let request {
        deadlines[request.id] = nil
        request.fail(error)
      }
      // Waiting does not help against a wrong password.
      guard !error.isRetriable else { return }
      while let request = waiting.removeFirst() {
        waitingIDs.remove(request.id)
        deadlines[request.id] = nil
        request.fail(error)
      }
    }
  }

  private func listen(_ request: DatabaseRequest, on connection: PooledConnection) {
    if connection.session.isPooled {
      deadlines[request.id] = nil
      request.fail(.noNotifications)
      return close(connection, nil)
    }
    run(request, on: connection)
  }

  /// Returns a connection to the pool.
  private func release(_ connection: PooledConnection) {
    if let checkout = connection.checkout {
      checkouts[checkout] = nil
      deadlines[checkout] = nil
    }
    connection.checkout = nil
    guard connection.session.isIdle else { return close(connection, nil) }
    connection.phase = .idle(since: now)
    idle[connection.id] = now + configuration.idleTimeout
  }

  /// Closes a connection.
  ///
  /// - Parameter error: The error for the caller that waits for its statement, or `nil` for a lost connection's.
  private func close(_ connection: PooledConnection, _ error: PostgreSQLError?) {
    if connection.watched != nil, connection.session.socket >= 0 { readiness.remove(connection.session.socket) }
    connection.watched = nil
    connections[connection.id] = nil
    idle[connection.id] = nil
    checks[connection.id] = nil
    if let checkout = connection.checkout {
      checkouts[checkout] = nil
      deadlines[checkout] = nil
    }
    if let request = connection.request {
      active[request.id] = nil
      deadlines[request.id] = nil
      if case .checking = connection.phase, error == nil {
        enqueue(request)
        deadlines[request.id] = request.deadline
      } else {
        request.fail(error ?? .connectionLost(at: connection.session.place))
      }
    }
    connection.receive?(nil)
    connection.receive = nil
    connection.phase = .kept
  }

  private func send(_ statement: SQLStatement, on connection: PooledConnection) {
    guard connection.session.send(statement) else { return close(connection, nil) }
    flush(connection)
  }

  private func flush(_ connection: PooledConnection) {
    switch connection.session.flush() {
    case .failed:
      // The server's reason for closing the connection may have arrived.
      connection.isBlocked = false
      receive(on: connection)
      if connections[connection.id] != nil { close(connection, nil) }
    case .blocked: connection.isBlocked = true
    case .done: connection.isBlocked = false
    }
    guard connections[connection.id] != nil else { return }
    let wanted: Readiness = connection.isBlocked ? [.reading, .writing] : .reading
    if wanted != connection.watched {
      readiness.change(connection.session.socket, wanted, id: connection.id)
      connection.watched = wanted
    }
  }

  private func serve(_ connection: PooledConnection) {
    receive(on: connection)
    if connections[connection.id] != nil, connection.isBlocked { flush(connection) }
  }

  private func receive(on connection: PooledConnection) {
    let isOpen = connection.session.receive()
    if connection.request != nil { readResults(of: connection) }
    for notification in connection.session.notifications() { connection.receive?(notification.payload) }
    guard connections[connection.id] != nil else { return }
    // On an idle connection, the server reports a changed parameter or ends the connection.
    if !isOpen || !connection.session.isOpen { close(connection, nil) }
  }

  private func readResults(of connection: PooledConnection) {
    while true {
      switch (connection.session.nextResult(), connection.phase) {
      case (.incomplete, _): return
      case (.result(let result), .running(let request, let earlier)):
        // The first error is the one that matters.
        if case .failure = earlier { continue }
        connection.phase = .running(request, result)
      case (.result(.failure), .checking): return close(connection, nil)
      case (.result, _): continue
      case (.end, .checking(let request)):
        checks[connection.id] = nil
        return run(request, on: connection)
      case (.end, .running(let request, let result)):
        return finish(request, result ?? .failure(.connectionLost(at: connection.session.place)), on: connection)
      case (.end, _): return
      }
    }
  }

  private func finish(
    _ request: DatabaseRequest, _ result: Result<SQLResult, PostgreSQLError>, on connection: PooledConnection
  ) {
    active[request.id] = nil
    deadlines[request.id] = nil
    connection.phase = .kept
    let isOver =
      switch (request.role, result) {
      case (.single, _), (.ends, _), (.begins, .failure), (.listens, .failure): true
      case (.begins, .success), (.listens, .success), (.continues, _): false
      }
    if isOver {
      if connection.receive == nil, connection.session.isOpen { release(connection) } else { close(connection, nil) }
    }
    if case .failure(let error) = result, error.isOfServer { leaveServer() }
    // Last: the caller may send its next statement at once.
    request.wait.end(result.mapError { $0 })
  }

  /// Closes the idle connections, since their server shuts down or has become a standby.
  private func leaveServer() {
    for connection in Array(connections.values) {
      if case .idle = connection.phase { close(connection, nil) }
    }
  }
}
