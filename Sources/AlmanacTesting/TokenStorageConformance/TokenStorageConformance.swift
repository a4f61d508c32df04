// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// Checks that a token storage keeps every promise of `TokenStorage`, in any test framework.
///
/// ```swift
/// let kit = TokenStorageConformance {
///   FileTokenStorage(directory: newDirectory())
/// } reopen: {
///   FileTokenStorage(directory: $0.directory)
/// }
///
/// try await kit.run()                                        // all of it, or one test a promise:
///
/// @Test(arguments: TokenStorageConformance.checks)
/// func keeps(_ check: TokenStorageConformance.Check) async throws { try await kit.run(check) }
/// ```
///
/// The kit sees what is visible within one process. Durability, other processes, and damaged content
/// are for the storage's own tests.
public struct TokenStorageConformance: Sendable {
  private let makeSubject: @Sendable () async throws -> Subject
  private let patience: Duration

  /// Creates a kit for one kind of storage.
  ///
  /// - Parameters:
  ///   - patience: The time after which a check that makes no progress has failed, with the calls that have not returned.
  ///     A check that makes progress fails after ten times as long. Storages that keep their promises never wait for either. Defaults to five minutes, so that a busy machine fails no check.
  ///   - makeStorage: Returns a storage without records that no earlier call returned.
  ///   - reopen: Returns another storage for the same records: another object, another connection. The same one will do
  ///     if the records live in it.
  public init<Storage: TokenStorage>(
    patience: Duration = .seconds(300),
    makeStorage: @escaping @Sendable () async throws -> Storage,
    reopen: @escaping @Sendable (Storage) async throws -> Storage = { $0 }
  ) {
    self.patience = patience
    makeSubject = {
      let storage = try await makeStorage()
      return Subject(
        storage: ObservedTokenStorage(base: storage), other: ObservedTokenStorage(base: try await reopen(storage)))
    }
  }

  /// Every promise that is checked.
  public static let checks: [Check] = recordChecks + accountChecks + accessChecks + cancellationChecks

  /// Runs all of ``checks``, one after the other.
  ///
  /// - Throws: ``ConformanceFailure`` for the first promise that is broken; any error of `makeStorage` or `reopen`.
  public func run() async throws {
    for check in Self.checks { try await run(check) }
  }

  /// Runs one check on a storage of its own.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken; any error of `makeStorage` or `reopen`.
  public func run(_ check: Check) async throws {
    let subject = try await makeSubject()
    try await Conformance.run(check.promise, patience: patience) { try await check.body(subject) }
  }
}

extension TokenStorageConformance {
  /// One promise, and how to see whether a storage keeps it.
  public struct Check: Sendable, CustomStringConvertible {
    /// A name that stays the same from release to release: the subject, a full stop, and words joined by hyphens.
    public let id: String
    /// What a storage promises, as a sentence.
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

  /// Two storages for the same records, which are none at first.
  struct Subject: Sendable {
    let storage: ObservedTokenStorage
    let other: ObservedTokenStorage
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
