// SPDX-License-Identifier: Apache-2.0

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
