// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl

/// A transport whose every call runs on the transport's own thread.
struct OnItsExecutor: StreamingTransport {
  let http: CurlTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await withTaskExecutorPreference(http.executor) { try await http.send(request) }
  }

  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await withTaskExecutorPreference(http.executor) { try await http.stream(request, body: body) }
  }
}
