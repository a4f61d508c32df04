// SPDX-License-Identifier: Apache-2.0

import Support

extension DatabaseLoop {
  /// Sends the statement of a request, or first prepares it on the connection.
  func send(_ request: DatabaseRequest, on connection: PooledConnection) {
    let statement = request.statement
    guard request.role.isPrepared, let prepared = connection.prepared else {
      return send(on: connection) { $0.send(statement) }
    }
    if let name = prepared[statement.shape] { return send(on: connection) { $0.send(statement, preparedAs: name) } }
    // Random: behind an undetected pooler, no other session can have given the name to another statement.
    let name = randomToken()
    connection.phase = .preparing(request, name: name)
    send(on: connection) { $0.prepare(statement, as: name) }
  }

  func send(on connection: PooledConnection, _ add: (Session) -> Bool) {
    guard add(connection.session) else { return close(connection, nil) }
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

  func serve(_ connection: PooledConnection) {
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
      case (.result(let result), .preparing(let request, _)):
        if case .failure(let error) = result {
          connection.phase = .running(request, .failure(error.ofPreparation(at: connection.session.place)))
        }
      case (.result, _): continue
      case (.end, .checking(let request)):
        checks[connection.id] = nil
        return run(request, on: connection)
      case (.end, .preparing(let request, let name)):
        connection.prepared?[request.statement.shape] = name
        return run(request, on: connection)
      case (.end, .running(let request, .failure(let error)))
      where error.isOfMissingStatement && request.role.isPrepared && connection.prepared != nil:
        // The statement has changed nothing.
        connection.prepared = nil
        keepsStatements = false
        return run(request, on: connection)
      case (.end, .running(let request, .failure(let error)))
      where error.isOfChangedTables && request.role.isPrepared && connection.prepared?[request.statement.shape] != nil:
        // The statement has changed nothing. The next request prepares it again.
        connection.prepared?[request.statement.shape] = nil
        connection.phase = .running(request, nil)
        return send(on: connection) { $0.send(request.statement) }
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
