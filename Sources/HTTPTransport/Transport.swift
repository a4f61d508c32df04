// SPDX-License-Identifier: Apache-2.0

/// Sends one HTTP request and returns its response: the seam through which every module of the package reaches the
/// network.
///
/// A response with any status is returned; only a missing response throws. Transports compose: a decorator such as
/// ``Transport/retrying(_:clock:)`` wraps another transport and is one itself, and so is a server that runs in the same
/// process.
///
/// A decorator changes a copy of the request that it receives, and does not make a new one: the copy still says whether a layer
/// above it retries. A new request is a new call, so that a retrying layer below sends it again on its own account.
///
/// Take `URLSessionTransport` (module HTTPTransportURLSession) in a program. A double for a test needs one method:
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
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; ``TransportError`` when no complete
  ///   response came.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
