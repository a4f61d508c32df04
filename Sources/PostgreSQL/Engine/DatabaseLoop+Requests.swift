// SPDX-License-Identifier: Apache-2.0

import Support

extension DatabaseLoop {
  func start(_ request: DatabaseRequest) {
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

  func enqueue(_ request: DatabaseRequest) {
    waiting.append(request, id: request.id)
    waitingIDs.insert(request.id)
  }

  func cancel(_ id: Int) {
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
  func dispatch() {
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
    send(on: connection) { $0.send("") }
  }

  func run(_ request: DatabaseRequest, on connection: PooledConnection) {
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
    send(request, on: connection)
  }

  private func keep(_ connection: PooledConnection, for checkout: Int) {
    connection.checkout = checkout
    checkouts[checkout] = connection
  }
}
