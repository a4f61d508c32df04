// SPDX-License-Identifier: Apache-2.0

import Support

/// A statement that a task waits for.
final class DatabaseRequest: Sendable {
  /// The use of a connection beyond the statement.
  enum Role: Sendable {
    /// Any connection, for this statement only.
    case single
    /// A connection that the caller keeps for a transaction.
    case begins(checkout: Int)
    /// The connection that the caller keeps.
    case continues(checkout: Int)
    /// The connection that the caller keeps, and returns afterwards.
    case ends(checkout: Int)
    /// A connection of its own, which receives notifications until it ends.
    case listens(checkout: Int, receive: @Sendable (_ payload: String?) -> Void)
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
