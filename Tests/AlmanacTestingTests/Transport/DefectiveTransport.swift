// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl

/// A transport whose requests, responses and errors can be changed on their way to and from a correct one.
struct DefectiveTransport: StreamingTransport {
  typealias Sending = @Sendable (HTTPRequest) async throws -> HTTPResponse
  typealias Streaming = @Sendable (HTTPRequest, BodyStream?) async throws -> StreamedResponse

  var sending: Sending
  var streaming: Streaming

  init(limits: TransportLimits) {
    let base = CurlTransport(limits: limits)
    sending = { try await base.send($0) }
    streaming = { try await base.stream($0, body: $1) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await sending(request) }

  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await streaming(request, body)
  }
}
