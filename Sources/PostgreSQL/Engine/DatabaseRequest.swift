// SPDX-License-Identifier: Apache-2.0

import Support

/// A statement awaited by a task.
final class DatabaseRequest: Sendable {
  /// The use of a connection beyond the statement.
  enum Role: Sendable {
    /// Any connection, for this statement only, which the connection prepares if it is sent often.
    case single(isPrepared: Bool)
    /// A connection kept by the caller for a transaction.
    case begins(checkout: Int)
    /// The connection kept by the caller.
    case continues(checkout: Int)
    /// The connection kept by the caller, and returned afterwards.
    case ends(checkout: Int)
    /// A connection of its own, which receives notifications until it ends.
    case listens(checkout: Int, receive: @Sendable (_ payload: String?) -> Void)

    var isPrepared: Bool { if case .single(isPrepared: true) = self { true } else { false } }
  }

  let id: Int
  let statement: SQLStatement
  let role: Role
  let deadline: ContinuousClock.Instant
  let wait = SingleWait<SQLResult>()

  init(id: Int, statement: SQLStatement, role: Role, deadline: ContinuousClock.Instant) {
    self.id = id
    self.statement = statement
    self.role = role
    self.deadline = deadline
  }

  func fail(_ error: PostgreSQLError) { wait.end(.failure(error)) }
}
