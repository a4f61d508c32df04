// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A kit that checks whether a token storage keeps all promises of `TokenStorage`, in any test framework.
///
/// ```swift
/// let kit = TokenStorageConformance {
///   FileTokenStorage(directory: newDirectory())
/// } reopen: {
///   FileTokenStorage(directory: $0.directory)
/// }
///
/// try await kit.run()                                        // all checks, or one test for each promise:
///
/// @Test(arguments: TokenStorageConformance.checks)
/// func keeps(_ check: TokenStorageConformance.Check) async throws { try await kit.run(check) }
/// ```
///
/// The kit checks behaviour within one process. Test durability, access by several processes, and damaged records separately.
///
/// A storage that machines share must also end exclusive access on demand, as a lease ends while its machine is paused. Without
/// `endAccess`, the checks whose names begin with `shared` test nothing.
public struct TokenStorageConformance: Sendable {
  private let makeSubject: @Sendable () async throws -> Subject
  private let patience: Duration

  /// Creates a kit for a type of storage.
  ///
  /// - Parameters:
  ///   - patience: The time after which a check without progress fails, with its pending calls. A check that makes
  ///     progress fails after ten times as long. Defaults to five minutes, so a busy machine fails no check. A
  ///     conforming storage never reaches either limit.
  ///   - makeStorage: Returns a new storage without records. If the storage limits its waits, set the limit to more
  ///     than ten times the `patience`. A wait that the storage ends itself on a busy machine fails the check.
  ///   - reopen: Returns another storage for the same records, for example another object or connection. Defaults to the same
  ///     storage, which is sufficient if it holds the records itself.
  ///   - endAccess: Ends all exclusive access to the storage's records while the bodies continue, and all requests whose intent is
  ///     noted. Defaults to `nil`, for a storage whose exclusive access lasts until its body ends.
  public init<Storage: TokenStorage>(
    patience: Duration = .seconds(300),
    makeStorage: @concurrent @escaping @Sendable () async throws -> Storage,
    reopen: @concurrent @escaping @Sendable (Storage) async throws -> Storage = { $0 },
    endAccess: (@concurrent @Sendable (Storage) async throws -> Void)? = nil
  ) {
    self.patience = patience
    makeSubject = {
      let storage = try await makeStorage()
      var subject = Subject(
        storage: ObservedTokenStorage(base: storage), other: ObservedTokenStorage(base: try await reopen(storage)))
      if let endAccess { subject.endAccess = { try await endAccess(storage) } }
      return subject
    }
  }

  /// All checks.
  public static let checks: [Check] = recordChecks + accountChecks + accessChecks + cancellationChecks + sharedChecks

  /// Runs all ``checks`` in order.
  ///
  /// - Throws: ``ConformanceFailure`` for the first broken promise, any error of `makeStorage` or `reopen`, or
  ///   `CancellationError`.
  public func run() async throws {
    for check in Self.checks { try await run(check) }
  }

  /// Runs one check on a new storage.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken, any error of `makeStorage` or `reopen`, or
  ///   `CancellationError`.
  public func run(_ check: Check) async throws {
    let subject = try await makeSubject()
    try await Conformance.run(check.promise, patience: patience) { try await check.body(subject) }
  }
}

extension TokenStorageConformance {
  /// A promise, with the code for checking it.
  public struct Check: Sendable, CustomStringConvertible {
    /// A name, stable across releases: the subject, a full stop, and words joined by hyphens.
    public let id: String
    /// The promise of a storage, as a sentence.
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

  /// Two storages for the same records, which are initially empty.
  struct Subject: Sendable {
    let storage: ObservedTokenStorage
    let other: ObservedTokenStorage
    /// Ends exclusive access, if the storage can lose it.
    var endAccess: (@Sendable () async throws -> Void)?
  }

  typealias Broken = Conformance.Broken

  static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    try Conformance.require(condition, detail())
  }
}

extension TokenStorage {
  func write(_ token: StoredToken?, for account: String) async throws {
    try await withExclusiveAccess(to: account) { try await $0.write(token) }
  }
}
