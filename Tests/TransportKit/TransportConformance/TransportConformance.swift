// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
package import HTTPTransport

/// A kit that checks whether a transport keeps all promises of `Transport` and `StreamingTransport` against a misbehaving server.
///
/// ```swift
/// static let kit = TransportConformance(excluding: ["responses.repeated-fields": "The platform joins them."]) {
///   URLSessionTransport(limits: $0)
/// }
///
/// @Test(arguments: kit.checks)
/// func keeps(_ check: TransportConformance.Check) async throws { try await Self.kit.run(check) }
/// ```
///
/// The server is a ``HostileServer`` on a port of `127.0.0.1`. Checks of the group ``Group/memory`` measure the whole process, on
/// Linux only. Run them in their own process.
package struct TransportConformance: Sendable {
  private let makeTransport: @Sendable (TransportLimits) throws -> any Transport
  private let exclusions: [String: String]
  private let givesReasons: Bool
  private let patience: Duration

  /// Creates a kit for a type of transport.
  ///
  /// - Parameters:
  ///   - exclusions: The checks that the transport cannot pass: each ``Check/id`` with the reason.
  ///   - givesReasons: Whether every error must have the expected `reason`. If `false`, the reason may also be `nil`.
  ///   - patience: The time after which a check without progress fails, with its pending steps. A check that makes progress fails
  ///     after ten times as long. Defaults to five minutes, so that a busy machine fails no check.
  ///   - makeTransport: Returns a new transport with the given limits.
  package init(
    excluding exclusions: [String: String] = [:], givesReasons: Bool = true, patience: Duration = .seconds(300),
    makeTransport: @escaping @Sendable (TransportLimits) throws -> some Transport
  ) {
    let unknown = Set(exclusions.keys).subtracting(Self.allChecks.map(\.id)).sorted()
    // An unknown exclusion is a programming error, such as a misspelling or an outdated name, and ends the test.
    precondition(unknown.isEmpty, "Unknown checks in the exclusions: \(unknown.joined(separator: ", "))")
    self.exclusions = exclusions
    self.givesReasons = givesReasons
    self.patience = patience
    self.makeTransport = makeTransport
  }

  /// All checks, including excluded ones.
  package static let allChecks: [Check] =
    requestChecks + responseChecks + redirectChecks + locationChecks + faultChecks + truncationChecks + framingChecks
    + byteChecks + hostilityChecks + limitChecks + timeChecks + memoryChecks + cancellationChecks + connectionChecks
    + streamedResponseChecks + streamedRequestChecks

  /// The checks that the transport must pass.
  package var checks: [Check] { Self.allChecks.filter { exclusions[$0.id] == nil } }

  /// Runs one check with new transports and servers.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken. If `makeTransport` throws, the error is the failure's cause. Also
  ///   throws `CancellationError`.
  package func run(_ check: Check) async throws {
    let subject = Subject(makeTransport: makeTransport, givesReasons: givesReasons)
    try await Conformance.run(check.promise, patience: patience) { try await check.body(subject) }
  }
}

extension TransportConformance {
  /// A promise, with the code that checks it.
  package struct Check: Sendable, CustomStringConvertible {
    private let name: String
    /// The subject of the promise, which the list of the check sets.
    package fileprivate(set) var group = Group.requests
    /// The promise of a transport, as a sentence.
    package let promise: String
    let body: @Sendable (Subject) async throws -> Void

    init(_ name: String, _ promise: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
      self.name = name
      self.promise = promise
      self.body = body
    }

    /// A name that is stable across releases: the group, a full stop, and words joined by hyphens.
    package var id: String { "\(group.rawValue).\(name)" }

    /// The name and the promise.
    package var description: String { "\(id): \(promise)" }
  }

  /// A group of checks.
  package enum Group: String, Sendable, CaseIterable {
    /// Requests as the server receives them.
    case requests
    /// Valid responses in every form.
    case responses
    /// Redirects, including malformed ones.
    case redirects
    /// Servers that close or reset a connection, or end a response too early.
    case faults
    /// Lengths, chunks and trailers that contradict the specification.
    case framing
    /// Malicious servers.
    case hostility
    /// Limits on size and number.
    case limits
    /// Limits on time.
    case time
    /// Limits on memory.
    case memory
    /// Cancelled tasks.
    case cancellation
    /// Kept and shared connections.
    case connections
    /// Bodies that are sent and received in chunks. These checks need a `StreamingTransport`.
    case streaming
  }
}

extension TransportConformance.Group {
  /// Returns the checks as those of this group.
  func checks(_ checks: [TransportConformance.Check]) -> [TransportConformance.Check] {
    checks.map {
      var check = $0
      check.group = self
      return check
    }
  }
}
