// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization

/// A transport whose answers a test gives, and which keeps every request it was sent.
///
/// ```swift
/// let transport = StubTransport { request in HTTPResponse(status: 204) }
/// …
/// #expect(transport.requests.map(\.method) == [.delete])
/// ```
public final class StubTransport: Transport {
  private let handler: @Sendable (HTTPRequest) async throws -> HTTPResponse
  private let sent = Mutex<[HTTPRequest]>([])

  /// Creates a transport that answers with what `handler` returns or throws.
  ///
  /// Calls may come at the same time.
  public init(_ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.handler = handler
  }

  /// Creates a transport that gives `answers` one after the other, and afterwards fails as if there were no network.
  public convenience init(_ answers: HTTPResponse...) {
    let queue = AnswerQueue(answers)
    self.init { _ in
      guard let answer = queue.next() else {
        throw TransportError(.unreachable, "The stub transport has no answer left.")
      }
      return answer
    }
  }

  /// The requests so far, in the order they were sent.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// Sends a request and returns the whole response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    sent.withLock { $0.append(request) }
    try Task.checkCancellation()
    return try await handler(request)
  }
}

private final class AnswerQueue: Sendable {
  private let answers: Mutex<[HTTPResponse]>

  init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers.reversed()) }

  func next() -> HTTPResponse? { answers.withLock { $0.popLast() } }
}
