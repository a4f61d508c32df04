// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TestSupport
import TransportKit

extension TransportDefects {
  static let streamedResponses: [TransportDefect] = [
    .bodies(
      "changes every body",
      says(
        "The body is", "streaming.head-first", "streaming.redirect", "streaming.redirect-to-get",
        "streaming.truncated"
      )
      .and("The response is wrong.", "streaming.request-body")
      .and("A body is wrong.", "streaming.many-at-once")
      .and("with length: 3000000 bytes arrived.", "streaming.whole-body")
    ) { $0.changingChunks { chunk, _ in [chunk.map { $0 ^ 1 }] } },
    .streaming("invents a body", says("There is a chunk.", "streaming.no-body")) {
      var response = try await $0.stream($1, body: $2)
      if response.body.length ?? 0 == 0 { response.body = BodyStream([97]) }
      return response
    },
    .bodies(
      "reads ahead", says("The server could write", "streaming.backpressure")
    ) { body in
      let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
      var iterator = body.makeAsyncIterator()
      var count = 0
      while count < 32 << 20 {
        guard let chunk = try await iterator.next() else {
          more.finish()
          break
        }
        count += chunk.count
        more.yield(chunk)
      }
      more.onTermination = { _ in withExtendedLifetime(body) {} }
      return BodyStream(chunks)
    },
    .responses("confuses requests with a stream", says("The body is wrong.", "streaming.others-go-on")) {
      response, _ in
      response.body = "0123456789".bytes
    },
    .streaming("keeps a body that is dropped", says("Still waiting after", "streaming.dropped-body")) {
      let response = try await $0.stream($1, body: $2)
      immortalBodies.change { $0.append(response.body) }
      return response
    },
    .streaming(
      "does not name the origin of a stream", says("The origin is none.", "streaming.redirect-to-another-origin")
    ) {
      var response = try await $0.stream($1, body: $2)
      response.redirectedOrigin = nil
      return response
    },
  ]

  static let streamedRequests: [TransportDefect] = [
    .uploads("ends at an empty chunk", says("The body is .", "streaming.request-body-with-empty-chunks")) {
      $0.changingChunks { chunk, _ in chunk.isEmpty ? nil : [chunk] }
    },
    .uploads("collects the request's body", says("Still waiting after", "streaming.request-body-as-it-comes")) {
      BodyStream(try await $0.bytes(upTo: .max))
    },
    .streaming("wraps what a body throws", says("It threw TransportError.", "streaming.request-body-throws")) {
      do {
        return try await $0.stream($1, body: $2)
      } catch  where !(error is TransportError) {
        throw TransportError(.connectionLost, "The body failed.")
      }
    },
    .streaming(
      "succeeds with streams without a server",
      says(
        "It succeeded", "streaming.two-bodies", "streaming.redirected-request-body", "streaming.request-not-sent-again",
        "streaming.request-backpressure"
      )
      .and("2 for 3 succeeded", "streaming.request-length-mismatch")
      .and(
        "succeeded", "streaming.truncated", "streaming.malformed",
        "streaming.body-limit", "streaming.time-limit")
    ) { _, _, _ in StreamedResponse(status: 200) }.everywhere,
  ]

  private static let immortalBodies = Shared<[BodyStream]>([])
}
