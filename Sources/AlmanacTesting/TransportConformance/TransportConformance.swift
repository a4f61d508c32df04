// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

/// Checks that a transport keeps every promise of `Transport` and `StreamingTransport` against a server that misbehaves, in any
/// test framework.
///
/// ```swift
/// let kit = TransportConformance { CurlTransport(limits: $0) }
///
/// try await kit.run()                                        // all of it, or one test a promise:
///
/// @Test(arguments: kit.checks)
/// func keeps(_ check: TransportConformance.Check) async throws { try await kit.run(check) }
/// ```
///
/// A transport that cannot keep a promise leaves its check out by name, and says why:
///
/// ```swift
/// let kit = TransportConformance(excluding: ["responses.repeated-fields": "The platform joins them."]) { … }
/// ```
///
/// The server is a ``HostileServer`` on a port of `127.0.0.1`. Checks of the group ``Group/memory`` measure the whole process, on
/// Linux only: run them in a process of their own, or when nothing else runs.
public struct TransportConformance: Sendable {
  private let makeTransport: @Sendable (TransportLimits) throws -> any Transport
  private let exclusions: [String: String]
  private let givesReasons: Bool
  private let patience: Duration

  /// Creates a kit for one kind of transport.
  ///
  /// - Parameters:
  ///   - exclusions: The checks that the transport cannot pass, each ``Check/id`` with the reason.
  ///   - givesReasons: Whether every error must have the `reason` that fits. With `false` it may also be `nil`.
  ///   - patience: The time after which a check that makes no progress has failed, with what it waits for. A check that makes
  ///     progress fails after ten times as long. Defaults to five minutes, so that a busy machine fails no check.
  ///   - makeTransport: Returns a new transport that keeps to the limits it is given.
  public init(
    excluding exclusions: [String: String] = [:], givesReasons: Bool = true, patience: Duration = .seconds(300),
    makeTransport: @escaping @Sendable (TransportLimits) throws -> some Transport
  ) {
    let unknown = Set(exclusions.keys).subtracting(Self.allChecks.map(\.id)).sorted()
    // A mistake in the test, which ends it: an exclusion without a check is misspelt or out of date.
    precondition(unknown.isEmpty, "There is no such check: \(unknown.joined(separator: ", "))")
    self.exclusions = exclusions
    self.givesReasons = givesReasons
    self.patience = patience
    self.makeTransport = makeTransport
  }

  /// Every promise that can be checked.
  public static let allChecks: [Check] =
    requestChecks + responseChecks + redirectChecks + locationChecks + faultChecks + truncationChecks + framingChecks
    + byteChecks + hostilityChecks + limitChecks + timeChecks + memoryChecks + cancellationChecks + connectionChecks
    + streamedResponseChecks + streamedRequestChecks

  /// The checks that the transport has to pass.
  public var checks: [Check] { Self.allChecks.filter { exclusions[$0.id] == nil } }

  /// The checks that are left out, each with the reason.
  public var excluded: [(check: Check, reason: String)] {
    Self.allChecks.compactMap { check in exclusions[check.id].map { (check, $0) } }
  }

  /// Runs all of ``checks``, one after the other.
  ///
  /// - Throws: ``ConformanceFailure`` for the first promise that is broken, with the error of `makeTransport` as its cause if that
  ///   throws; `CancellationError`.
  public func run() async throws {
    for check in checks { try await run(check) }
  }

  /// Runs one check with transports and servers of its own.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken, with the error as its cause if `makeTransport` throws;
  ///   `CancellationError`.
  public func run(_ check: Check) async throws {
    let subject = Subject(makeTransport: makeTransport, givesReasons: givesReasons)
    try await Conformance.run(check.promise, patience: patience) { try await check.body(subject) }
  }
}

extension TransportConformance {
  /// One promise, and how to see whether a transport keeps it.
  public struct Check: Sendable, CustomStringConvertible {
    /// A name that stays the same from release to release: the group, a full stop, and words joined by hyphens.
    public let id: String
    /// What the promise is about.
    public let group: Group
    /// What a transport promises, as a sentence.
    public let promise: String
    let body: @Sendable (Subject) async throws -> Void

    init(
      _ group: Group, _ name: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void
    ) {
      id = "\(group.rawValue).\(name)"
      self.group = group
      self.promise = promise
      self.body = body
    }

    /// The name and the promise.
    public var description: String { "\(id): \(promise)" }
  }

  /// What checks are about.
  public enum Group: String, Sendable, CaseIterable {
    /// What reaches the server.
    case requests
    /// Valid responses in every form.
    case responses
    /// Redirects, malformed ones included.
    case redirects
    /// Servers that close, reset or end too early.
    case faults
    /// Lengths, chunks and trailers that contradict the specification.
    case framing
    /// Servers that want to do harm.
    case hostility
    /// Limits on size and number.
    case limits
    /// Limits on time.
    case time
    /// Limits on memory.
    case memory
    /// Tasks that are cancelled.
    case cancellation
    /// Connections that are kept and shared.
    case connections
    /// Bodies that are sent and received in pieces. They need a `StreamingTransport`.
    case streaming
  }
}
