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
    try await withTaskExecutorPreference(http.executor) {
      var response = try await http.stream(request, body: body)
      response.body = BodyStream(Chunks(http: http, body: response.body), length: response.body.length)
      return response
    }
  }

  /// A body that is read on the thread.
  private struct Chunks: AsyncSequence {
    let http: CurlTransport
    let body: BodyStream

    func makeAsyncIterator() -> Iterator { Iterator(http: http, body: body.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      let http: CurlTransport
      var body: BodyStream.AsyncIterator

      mutating func next() async throws -> [UInt8]? {
        var body = body
        defer { self.body = body }
        return try await withTaskExecutorPreference(http.executor) { try await body.next() }
      }
    }
  }
}
