// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation

/// A transport that records its calls as steps of a check.
struct ObservedTransport: Transport {
  let base: any Transport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await Progress.step({ "the response to \(request.method) \(request.url.path())" }) {
      try await base.send(request)
    }
  }
}

/// A streaming transport that records its calls as steps of a check.
struct ObservedStreamingTransport: StreamingTransport {
  let base: any StreamingTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await ObservedTransport(base: base).send(request)
  }

  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await Progress.step({ "the head of the response to \(request.method) \(request.url.path())" }) {
      try await base.stream(request, body: body)
    }
  }
}
