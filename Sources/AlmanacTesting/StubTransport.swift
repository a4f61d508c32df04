// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization

/// A transport that returns the test's responses and records all requests.
///
/// ```swift
/// let transport = StubTransport { request in HTTPResponse(status: 204) }
/// …
/// #expect(transport.requests.map(\.method) == [.delete])
/// ```
public final class StubTransport: Transport {
  private let handler: @concurrent @Sendable (HTTPRequest) async throws -> HTTPResponse
  private let sent = Mutex<[HTTPRequest]>([])

  /// Creates a transport whose responses and errors come from `handler`.
  ///
  /// Calls can be concurrent.
  public init(_ handler: @concurrent @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.handler = handler
  }

  /// Creates a transport that returns `responses` in order.
  ///
  /// A request after the last response throws a `TransportError` with code `unreachable`, as without a network. Its message names
  /// the request.
  public convenience init(_ responses: HTTPResponse...) {
    let queue = ResponseQueue(responses)
    self.init { request in
      guard let response = queue.next() else {
        throw TransportError(
          .unreachable,
          "The stub transport has no response to \(request): it was created with \(responses.count). Add one for each request."
        )
      }
      return response
    }
  }

  /// The requests so far, in the order they were sent.
  ///
  /// Requests of cancelled tasks are not sent.
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
