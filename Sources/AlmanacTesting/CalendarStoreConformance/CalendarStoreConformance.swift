// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A kit that checks whether a calendar store keeps all promises of `CalendarStore`, in any test framework.
///
/// ```swift
/// let kit = CalendarStoreConformance { InMemoryCalendarStore() }
/// try await kit.run()                                        // all checks, or one test for each promise:
///
/// @Test(arguments: CalendarStoreConformance.checks)
/// func keeps(_ check: CalendarStoreConformance.Check) async throws { try await kit.run(check) }
/// ```
///
/// The kit checks behaviour within one process. Test durability, access by several processes, and damage separately.
public struct CalendarStoreConformance: Sendable {
  private let makeSubject: @Sendable () async throws -> Subject
  private let patience: Duration

  /// Creates a kit for a type of store.
  ///
  /// - Parameters:
  ///   - patience: The time after which a check fails. Defaults to five minutes, so a busy machine fails no check. A
  ///     conforming store never reaches the limit.
  ///   - makeStore: Returns a new store without content.
  ///   - reopen: Returns another store for the same content, for example another object or connection. Defaults to the same store, which
  ///     is sufficient if it holds the content itself.
  public init<Store: CalendarStore>(
    patience: Duration = .seconds(300),
    makeStore: @concurrent @escaping @Sendable () async throws -> Store,
    reopen: @concurrent @escaping @Sendable (Store) async throws -> Store = { $0 }
  ) {
    self.patience = patience
    makeSubject = {
      let store = try await makeStore()
      return Subject(store: store, other: try await reopen(store))
    }
  }

  /// All checks.
  public static let checks: [Check] =
    transactionChecks + removalChecks + readingChecks + queryChecks + accessChecks

  /// Runs all ``checks`` in order.
  ///
  /// - Throws: ``ConformanceFailure`` for the first broken promise, any error of `makeStore` or `reopen`, or
  ///   `CancellationError`.
  public func run() async throws {
    for check in Self.checks { try await run(check) }
  }

  /// Runs one check on a new store.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken, any error of `makeStore` or `reopen`, or
  ///   `CancellationError`.
  public func run(_ check: Check) async throws {
    let subject = try await makeSubject()
    try await Conformance.run(check.promise, patience: patience) { try await check.body(subject) }
  }
}

extension CalendarStoreConformance {
  /// A promise, with the code for checking it.
  public struct Check: Sendable, CustomStringConvertible {
    /// A name, stable across releases: the subject, a full stop, and words joined by hyphens.
    public let id: String
    /// The promise of a store, as a sentence.
    public let promise: String
    let body: @Sendable (Subject) async throws -> Void

    init(_ id: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
      self.id = id
      self.promise = promise
      self.body = body
    }

    /// The name and the promise.
    public var description: String { "\(id): \(promise)" }
  }

  /// Two stores for the same content, which are initially empty.
  struct Subject: Sendable {
    let store: any CalendarStore
    let other: any CalendarStore
  }

  static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    try Conformance.require(condition, detail())
  }
}
