// SPDX-License-Identifier: Apache-2.0

import Support

extension DatabaseLoop {
  func connect(for request: DatabaseRequest?) {
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
            isRetryable: true)))
    }
  }

  func finish(_ id: Int, _ result: Result<Session, PostgreSQLError>) {
    guard let (_, request) = attempts.removeValue(forKey: id) else { return }
    switch result {
    case .success(let session):
      backoff.reset()
      let connection = PooledConnection(
        id: mailbox.nextID(), session: session,
        keepsStatements: keepsStatements && !configuration.isBehindTransactionPooler && !session.isPooled, now: now)
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
      guard !error.isRetryable else { return }
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
  func release(_ connection: PooledConnection) {
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
  func close(_ connection: PooledConnection, _ error: PostgreSQLError?) {
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
      let isLost = error == nil
      active[request.id] = nil
      deadlines[request.id] = nil
      let error = error ?? .connectionLost(at: connection.session.place)
      switch connection.phase {
      case .checking where isLost:
        enqueue(request)
        deadlines[request.id] = request.deadline
      case .preparing: request.fail(error.ofPreparation(at: connection.session.place))
      // The server has refused the statement before.
      case .running(_, .failure(let refusal)?): request.fail(refusal)
      default: request.fail(error)
      }
    }
    connection.receive?(nil)
    connection.receive = nil
    connection.phase = .kept
  }
}
