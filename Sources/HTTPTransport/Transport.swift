// SPDX-License-Identifier: Apache-2.0

/// A type that sends an HTTP request and returns its response.
///
/// Every module of the package reaches the network through this protocol. A response with any status is returned. A
/// transport throws only if no complete response arrives. Transports compose: a decorator such as
/// ``Transport/retrying(_:clock:)`` is a transport that wraps another one. A server in the same process can be a
/// transport too.
///
/// The requests sent by a decorator while it handles a request belong to the same call, whether it changes the request
/// or creates one. The call's layers share its attempts and its time limit. See ``RetryPolicy``.
///
/// In a program, use `CurlTransport` (module HTTPTransportCurl) on Linux and `URLSessionTransport` (module
/// HTTPTransportURLSession) on Apple platforms. `DefaultTransport` (module Almanac) makes this choice. A test double needs one
/// method:
///
/// ```swift
/// struct TeapotTransport: Transport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 418) }
/// }
/// ```
public protocol Transport: Sendable {
  /// Sends `request` and returns the complete response.
  ///
  /// Any number of tasks may send at the same time.
  ///
  /// - Returns: The response, with any status.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled. ``TransportError`` if no complete
  ///   response arrived.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
