// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport

extension TransportDefects {
  static let streamedResponses: [TransportDefect] = [
    .bodies("collects the body", says("Still waiting after", "streaming.head-first")) {
      BodyStream(try await $0.bytes(upTo: .max))
    },
    .streaming(
      "changes the head",
      says("The head is wrong.", "streaming.head-first")
        .and("The status is 201.", "streaming.redirect", "streaming.request-body-as-it-comes")
    ) {
      var response = try await $0.stream($1, body: $2)
      response.status += 1
      return response
    },
    .bodies(
      "leaves out every second chunk",
      says("with length:", "streaming.whole-body")
        .and("The body is not whole.", "streaming.reuse")
    ) { $0.changingChunks { chunk, number in number.isMultiple(of: 2) ? [chunk] : [] } },
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
    .bodies("delivers empty chunks", says("with length: A chunk is empty.", "streaming.whole-body")) {
      $0.changingChunks { chunk, _ in [[], chunk] }
    },
    .bodies(
      "fails at the end of a body",
      says("with length: truncated, no reason after 3000000 bytes.", "streaming.whole-body")
    ) { body in
      BodyStream(Failing(body: body))
    },
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
    .bodies("ends after a while", says("bytes arrived afterwards.", "streaming.backpressure")) {
      $0.changingChunks { chunk, number in number < 2 ? [chunk] : nil }
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
    .bodies("takes a truncated body for a whole one", says("It succeeded", "streaming.truncated")) {
      $0.changingErrors { if ($0 as? TransportError)?.code != .truncated { throw $0 } }
    },
    .bodies("loses what came before an error", says("The body is .", "streaming.truncated")) {
      $0.changingChunks { _, _ in [] }
    },
    .bodies(
      "takes a malformed body for a whole one", says("Transfer-Encoding: chunked succeeded", "streaming.malformed")
    ) {
      $0.changingErrors { if ($0 as? TransportError)?.code != .protocolViolation { throw $0 } }
    },
    .bodies(
      "exceeds the limit of a streamed body", says("bytes arrived.", "streaming.body-limit"),
      limits: { $0.bodyBytes *= 4 }
    ) { $0 },
    .bodies("ends a body whose time is up when it is read", says("It succeeded", "streaming.time-limit")) {
      BodyStream(Late(body: $0))
    },
    .bodies("ends at the limit", says("It succeeded", "streaming.body-limit", "streaming.time-limit")) {
      $0.changingErrors { if !($0 is TransportError) { throw $0 } }
    },
    TransportDefect(
      "follows no redirect of a stream",
      says("The status is 302.", "streaming.redirect").and("It succeeded", "streaming.redirected-request-body")
        .and("The origin is none.", "streaming.redirect-to-another-origin"),
      change: { transport, limits in
        var limits = limits
        limits.redirects = 0
        transport.streaming = DefectiveTransport(limits: limits).streaming
      }),
    .streaming(
      "does not name the origin of a stream", says("The origin is none.", "streaming.redirect-to-another-origin")
    ) {
      var response = try await $0.stream($1, body: $2)
      response.redirectedOrigin = nil
      return response
    },
    .streaming("always names the origin of a stream", says("The response names another origin.", "streaming.redirect"))
    {
      var response = try await $0.stream($1, body: $2)
      response.redirectedOrigin = Origin($1.url)
      return response
    },
  ]

  static let streamedRequests: [TransportDefect] = [
    .uploads(
      "sends no streamed body",
      says("0 bytes of 30000 arrived.", "streaming.request-body")
        .and("The body is .", "streaming.request-body-with-empty-chunks")
        .and("2 for 3 succeeded", "streaming.request-length-mismatch")
    ) { _ in BodyStream([]) },
    .uploads(
      "does not announce the length",
      says("Content-Length is missing, not 0.", "streaming.request-body")
        .and("2 for 3 succeeded", "streaming.request-length-mismatch")
    ) { BodyStream($0) },
    .uploads("ends at an empty chunk", says("The body is .", "streaming.request-body-with-empty-chunks")) {
      $0.changingChunks { chunk, _ in chunk.isEmpty ? nil : [chunk] }
    },
    .uploads("collects the request's body", says("Still waiting after", "streaming.request-body-as-it-comes")) {
      BodyStream(try await $0.bytes(upTo: .max))
    },
    .streaming(
      "takes the request's body ahead", says("500 chunks of 64 KiB were taken.", "streaming.request-backpressure")
    ) {
      guard var chunks = $2?.makeAsyncIterator() else { return try await $0.stream($1, body: nil) }
      for _ in 1...500 { _ = try await chunks.next() }
      throw TransportError(.timedOut, "The server does not read.")
    },
    .streaming(
      "sends a body of the wrong length",
      says(
        "The server got a complete request.", "streaming.request-length-mismatch",
        "streaming.request-body-throws")
    ) {
      guard let body = $2 else { return try await $0.stream($1, body: nil) }
      let fault = Shared<(any Error)?>(nil)
      var count = 0
      for try await chunk in body.changingErrors({ fault.value = $0 }) { count += chunk.count }
      let response = try await $0.stream($1, body: BodyStream(Array(repeating: 97, count: count)))
      if let fault = fault.value { throw fault }
      if let length = body.length, length != count { throw TransportError(.invalidRequest, "It has another length.") }
      return response
    },
    .streaming("wraps what a body throws", says("It threw TransportError.", "streaming.request-body-throws")) {
      do {
        return try await $0.stream($1, body: $2)
      } catch  where !(error is TransportError) {
        throw TransportError(.connectionLost, "The body failed.")
      }
    },
    .uploads("takes a body that fails for a whole one", says("It succeeded.", "streaming.request-body-throws")) {
      body in
      BodyStream(body.changingErrors { _ in })
    },
    .streaming("leaves one of two bodies out", says("It succeeded", "streaming.two-bodies")) {
      var request = $1
      if $2 != nil { request.body = nil }
      return try await $0.stream(request, body: $2)
    },
    .streaming("connects before it looks at the bodies", says("A connection was made.", "streaming.two-bodies")) {
      if $1.body != nil { _ = try await $0.send(HTTPRequest(.get, $1.url)) }
      return try await $0.stream($1, body: $2)
    },
    .streaming(
      "sends a streamed body again",
      says("2 requests arrived.", "streaming.redirected-request-body", "streaming.request-body")
    ) {
      guard let body = $2 else { return try await $0.stream($1, body: nil) }
      _ = try? await $0.stream($1, body: body)
      return try await $0.stream($1, body: body)
    },
    .streaming(
      "sends a request again whose streamed body is lost",
      says("It was sent more than once.", "streaming.request-not-sent-again")
    ) {
      guard $2 != nil else { return try await $0.stream($1, body: nil) }
      _ = try? await $0.send($1)
      return try await $0.stream($1, body: BodyStream([97]))
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

/// A body that is truncated after its end.
private struct Failing: AsyncSequence, Sendable {
  let body: BodyStream

  func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: BodyStream.Iterator
    var isEmpty = true

    mutating func next() async throws -> [UInt8]? {
      if let chunk = try await base.next() {
        isEmpty = false
        return chunk
      }
      if isEmpty { return nil }
      throw TransportError(.truncated, "The body is truncated.")
    }
  }
}

/// A body that is empty if its iteration begins late.
private struct Late: AsyncSequence, Sendable {
  let body: BodyStream
  let start = ContinuousClock.now

  func makeAsyncIterator() -> Iterator {
    // It is iterated at once, or when the limit of 300 ms has passed.
    Iterator(base: body.makeAsyncIterator(), isLate: ContinuousClock.now - start > .milliseconds(250))
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: BodyStream.Iterator
    let isLate: Bool

    mutating func next() async throws -> [UInt8]? { isLate ? nil : try await base.next() }
  }
}
