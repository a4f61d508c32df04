// SPDX-License-Identifier: Apache-2.0

import Support

/// A client of a PostgreSQL server, with a pool of connections.
///
/// ```swift
/// let database = PostgreSQLClient(try .environment())
/// let rows = try await database.query("SELECT name FROM users WHERE id = \(id)")
/// for row in rows { print(try row.string("name") ?? "") }
/// database.close()
/// ```
///
/// The client connects at the first statement. Any number of tasks can use the client. They share at most
/// ``PostgreSQLConfiguration/maximumConnections`` connections, which are served by one thread of the client, and wait for a free one in
/// order of arrival. No call blocks a thread.
///
/// - **Each call has a time limit**, ``PostgreSQLConfiguration/timeout``. While no server is reachable, calls wait for one within it.
/// - **A cancelled call returns immediately.** Its connection is closed. The server ends the statement by its own limit.
/// - **An error tells whether the statement may have been carried out**: ``PostgreSQLError/isOutcomeUnknown``.
public final class PostgreSQLClient: Sendable {
  /// The configuration.
  public let configuration: PostgreSQLConfiguration
  private let mailbox = DatabaseMailbox()

  /// Creates a client.
  ///
  /// The initializer connects to nothing.
  public init(_ configuration: PostgreSQLConfiguration) { self.configuration = configuration }

  deinit { mailbox.post(.stop) }

  /// Sends a statement and returns its rows.
  ///
  /// The statement runs in a transaction of its own.
  ///
  /// - Parameter statement: The statement, a literal whose interpolations become parameters.
  /// - Throws: ``PostgreSQLError``. Also `CancellationError`, immediately, if the current task is cancelled.
  @discardableResult
  public func query(_ statement: SQLStatement) async throws -> SQLResult {
    try await run(statement, .single(isPrepared: false))
  }

  /// Sends a statement that every connection prepares once, and returns its rows.
  ///
  /// The server then plans the statement only a few times for each connection. Use it for a frequent statement whose plan does not depend
  /// on the values of its parameters. Behind a transaction pooler, the statement is not prepared.
  ///
  /// - Parameter statement: The statement, one of a fixed number of texts.
  /// - Throws: The errors of ``query(_:)``.
  @discardableResult
  package func query(prepared statement: SQLStatement) async throws -> SQLResult {
    try await run(statement, .single(isPrepared: true))
  }

  /// Runs `body` in a transaction, and commits it.
  ///
  /// If `body` throws, the transaction is rolled back. It ends after ``PostgreSQLConfiguration/timeout``, however many statements it has.
  /// Do not wait for anything else in it: it occupies a connection, and its locks delay others.
  ///
  /// - Parameter body: The closure, with the transaction to send statements in.
  /// - Returns: The result of `body`.
  /// - Throws: ``PostgreSQLError``, with ``PostgreSQLError/isOutcomeUnknown`` if the connection was lost during the
  ///   commit. Also any error of `body`, and `CancellationError` if the task was cancelled before the commit.
  public func withTransaction<Output: Sendable>(
    _ body: @concurrent @Sendable (PostgreSQLTransaction) async throws -> Output
  ) async throws -> Output {
    let transaction = PostgreSQLTransaction(client: self, checkout: mailbox.nextID())
    let deadline = ContinuousClock.now + configuration.timeout
    try await run("BEGIN", .begins(checkout: transaction.checkout), until: deadline)
    do {
      let output = try await body(transaction)
      try Task.checkCancellation()
      // A new task: a caller whose commit was cancelled could not know whether it was carried out.
      try await Task { _ = try await run("COMMIT", .ends(checkout: transaction.checkout), until: deadline) }.value
      return output
    } catch {
      // No caller waits for the rollback. If it fails, the connection is closed, and the server rolls back.
      let rollback = DatabaseRequest(
        id: mailbox.nextID(), statement: "ROLLBACK", role: .ends(checkout: transaction.checkout),
        deadline: .now + .seconds(2))
      mailbox.post(.start(rollback))
      throw error
    }
  }

  /// Returns the notifications on a channel from now on
  /// ([LISTEN](https://www.postgresql.org/docs/current/sql-listen.html)).
  ///
  /// The first element is ``SQLNotification/listening``. It comes again after each interruption, during which
  /// notifications are lost: read the data again. The stream keeps the newest 1,024 unread elements. It ends when the
  /// client is closed, after a non-retryable error, and immediately behind a transaction pooler.
  ///
  /// - Parameter channel: The name of the channel, a literal.
  public func notifications(on channel: StaticString) -> AsyncStream<SQLNotification> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SQLNotification.self, bufferingPolicy: .bufferingNewest(1024))
    let statement = SQLStatement(listeningOn: channel)
    let isBehindTransactionPooler = configuration.isBehindTransactionPooler
    let task = Task { [weak self] in
      var pause = Duration.milliseconds(100)
      while !Task.isCancelled, !isBehindTransactionPooler {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        do {
          guard
            let checkout = try await self?.listen(
              statement,
              { payload in
                if let payload { continuation.yield(.notification(payload: payload)) } else { ending.finish() }
              })
          else { break }
          continuation.yield(.listening)
          pause = .milliseconds(100)
          for await _ in ends {}
          self?.mailbox.post(.discard(checkout: checkout))
        } catch let error as PostgreSQLError where error.isRetryable {
          pause = min(pause * 2, .seconds(10))
        } catch {
          break
        }
        try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Closes all connections.
  ///
  /// Running and later calls throw ``PostgreSQLError`` with code ``PostgreSQLError/Code/closed`` or
  /// ``PostgreSQLError/Code/connectionLost``.
  public func close() { mailbox.post(.stop) }

  private func listen(_ statement: SQLStatement, _ receive: @escaping @Sendable (String?) -> Void) async throws -> Int {
    let checkout = mailbox.nextID()
    try await run(statement, .listens(checkout: checkout, receive: receive))
    return checkout
  }

  @discardableResult
  func run(
    _ statement: SQLStatement, _ role: DatabaseRequest.Role, until deadline: ContinuousClock.Instant? = nil
  ) async throws -> SQLResult {
    try Task.checkCancellation()
    try statement.check()
    let request = DatabaseRequest(
      id: mailbox.nextID(), statement: statement, role: role,
      deadline: deadline ?? ContinuousClock.now + configuration.timeout)
    guard try mailbox.post(.start(request), startingWith: configuration) else {
      throw PostgreSQLError(.closed, "The client was closed. Create another one.")
    }
    do {
      return try await request.wait.value()
    } catch let error as CancellationError {
      mailbox.post(.cancel(request: request.id))
      throw error
    }
  }
}

/// A transaction of a ``PostgreSQLClient``, whose statements use one connection.
public struct PostgreSQLTransaction: Sendable {
  private let client: PostgreSQLClient
  fileprivate let checkout: Int

  fileprivate init(client: PostgreSQLClient, checkout: Int) {
    self.client = client
    self.checkout = checkout
  }

  /// Sends a statement and returns its rows.
  ///
  /// The statements of a transaction are sent one after another. After an error of a statement, the transaction can only be rolled back.
  ///
  /// - Throws: ``PostgreSQLError``. Also `CancellationError`, immediately, if the current task is cancelled.
  @discardableResult
  public func query(_ statement: SQLStatement) async throws -> SQLResult {
    try await client.run(statement, .continues(checkout: checkout))
  }
}

/// An element of the stream of ``PostgreSQLClient/notifications(on:)``.
public enum SQLNotification: Sendable, Hashable {
  /// Notifications are received from now on.
  ///
  /// Earlier ones may have been lost.
  case listening
  /// A notification with its payload.
  case notification(payload: String)
}
