// SPDX-License-Identifier: Apache-2.0

/// A transport that can also stream the bodies of requests and responses.
///
/// ```swift
/// let response = try await http.stream(HTTPRequest(.get, url))
/// for try await chunk in response.body { file.write(chunk) }
/// ```
///
/// Use it for bodies that do not fit in memory, or that arrive over a long time. `CurlTransport` and
/// `URLSessionTransport` conform to it. ``Transport/send(_:)`` has a default implementation, so a test double needs one
/// method:
///
/// ```swift
/// struct TickingTransport: StreamingTransport {
///   func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
///     StreamedResponse(status: 200, body: BodyStream(ticks))
///   }
/// }
/// ```
public protocol StreamingTransport: Transport {
  /// Sends `request` and returns as soon as the head of the response has arrived.
  ///
  /// The transport reads the body only as fast as the caller iterates it. The exchange ends when the body has been read to its
  /// end, when its last copy is released, or when the iterating task is cancelled. The request's time limit includes the last
  /// byte of the body. Any number of tasks may stream at the same time.
  ///
  /// - Parameters:
  ///   - request: The request. Its own ``HTTPRequest/body`` must be `nil` if `body` is not.
  ///   - body: The request body, which is read once and as fast as the server accepts it, or `nil` for none or the request's own.
  /// - Returns: The head of the response, with any status, and its body.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled. ``TransportError`` if no response
  ///   arrived. Also any error of iterating `body`.
  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse
}

extension StreamingTransport {
  /// Sends `request` and returns as soon as the head of the response has arrived.
  ///
  /// See ``stream(_:body:)``.
  public func stream(_ request: HTTPRequest) async throws -> StreamedResponse {
    try await stream(request, body: nil)
  }

  /// Sends `request` and returns the complete response, of any size.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await stream(request)
    return HTTPResponse(
      status: response.status, fields: response.fields, body: try await response.body.bytes(upTo: .max),
      redirectedOrigin: response.redirectedOrigin)
  }
}

/// The head of an HTTP response, and its body as it arrives.
public struct StreamedResponse: Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The body, with content encodings such as gzip decoded.
  ///
  /// It can be iterated once.
  public var body: BodyStream

  /// The origin of the response if redirects led to an origin other than the request's, or `nil`.
  ///
  /// The request's credentials are not sent after such a redirect.
  public var redirectedOrigin: Origin?

  /// Creates a response.
  public init(
    status: Int, fields: HTTPFields = [:], body: BodyStream = BodyStream([]), redirectedOrigin: Origin? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.redirectedOrigin = redirectedOrigin
  }

  /// Whether the status is in 200 ..< 300.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
  /// The status alone, never fields or body.
  public var description: String { "\(status), streamed" }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["status": status, "fields": fields]) }
}
