// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization

/// A transport whose responses come from the test, and which keeps every request.
///
/// ```swift
/// let transport = StubTransport { request in HTTPResponse(status: 204) }
/// …
/// #expect(transport.requests.map(\.method) == [.delete])
/// ```
public final class StubTransport: Transport {
  private let handler: @Sendable (HTTPRequest) async throws -> HTTPResponse
  private let sent = Mutex<[HTTPRequest]>([])

  /// Creates a transport that responds with what `handler` returns or throws.
  ///
  /// Calls may come at the same time.
  public init(_ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.handler = handler
  }

  /// Creates a transport that returns `responses` one after the other.
  ///
  /// A request after the last response fails as if there were no network: with a `TransportError` with code `unreachable`, whose
  /// message names the request.
  public convenience init(_ responses: HTTPResponse...) {
    let queue = ResponseQueue(responses)
    self.init { request in
      guard let response = queue.next() else {
        throw TransportError(
          .unreachable,
          "The stub transport has no response to \(request): it was made with \(responses.count). Add one for each request."
        )
      }
      return response
    }
  }

  /// The requests so far, in the order they were sent.
  ///
  /// A task that is cancelled already sends none.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// Sends a request and returns the whole response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    sent.withLock { $0.append(request) }
    return try await handler(request)
  }
}

private final class ResponseQueue: Sendable {
  private let responses: Mutex<[HTTPResponse]>

  init(_ responses: [HTTPResponse]) { self.responses = Mutex(responses.reversed()) }

  func next() -> HTTPResponse? { responses.withLock { $0.popLast() } }
}
