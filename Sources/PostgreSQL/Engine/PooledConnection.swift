// SPDX-License-Identifier: Apache-2.0

import Support

/// An open connection of the loop, with its current use.
///
/// Only the loop's thread uses it.
final class PooledConnection {
  enum Phase {
    case idle(since: ContinuousClock.Instant)
    /// An empty statement checks the connection before the request.
    case checking(DatabaseRequest)
    /// The statement of the request is prepared under a name before it is sent.
    case preparing(DatabaseRequest, name: String)
    case running(DatabaseRequest, Result<SQLResult, PostgreSQLError>?)
    /// The connection is reserved between two statements of a transaction, or for notifications.
    case kept
  }

  let id: Int
  let session: Session
  var phase: Phase
  /// The identifier of the caller that keeps the connection, or `nil` if it returns to the pool.
  var checkout: Int?
  /// Receives the payload of each notification, and `nil` when the connection ends.
  var receive: (@Sendable (String?) -> Void)?
  /// The watched readiness of the descriptor, or `nil` if it is not watched.
  var watched: Readiness?
  /// Whether output is left.
  var isBlocked = false
  /// The names of the prepared statements, or `nil` if the server may not keep them for the connection.
  var prepared: [SQLStatement.Shape: String]?

  init(id: Int, session: Session, keepsStatements: Bool, now: ContinuousClock.Instant) {
    self.id = id
    self.session = session
    prepared = keepsStatements ? [:] : nil
    phase = .idle(since: now)
  }

  /// The connection's current request.
  var request: DatabaseRequest? {
    switch phase {
    case .checking(let request), .preparing(let request, _), .running(let request, _): request
    case .idle, .kept: nil
    }
  }
}
