// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport

extension TransportDefects {
  private static let promptChecks = [
    "before-head", "in-head", "in-body", "in-fast-body", "in-trailers", "in-fields",
  ].map { "cancellation.\($0)" }

  private static let cancelledChecks = [
    "before-start", "while-connecting", "while-waiting-for-a-connection", "in-request-body", "in-redirects",
    "others-go-on",
  ].map { "cancellation.\($0)" }

  private static func says(_ detail: String, _ checks: [String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: checks.map { ($0, detail) })
  }

  static let cancellation: [TransportDefect] = [
    .errors(
      "calls cancellation a time-out",
      says("It threw TransportError", cancelledChecks + ["cancellation.at-any-time"])
        .and(
          "It threw TransportError",
          checks: [
            "streaming.cancelled-before-head", "streaming.cancelled-while-iterating",
            "streaming.request-cancelled",
          ])
    ) {
      guard $0 is CancellationError else { throw $0 }
      throw TransportError(.timedOut, "The task was cancelled.")
    },
    .errors(
      "returns a response to a cancelled task",
      says("The cancelled task got a response.", cancelledChecks)
        .and("There was a response.", checks: promptChecks + ["cancellation.many-while-hostile"])
        .and("The response is wrong.", checks: ["cancellation.at-any-time"])
        .and(
          "The cancelled task got a response.",
          checks: [
            "streaming.cancelled-before-head", "streaming.cancelled-while-iterating",
            "streaming.request-cancelled",
          ])
    ) {
      guard $0 is CancellationError else { throw $0 }
      return HTTPResponse(status: 200)
    },
    .sending("sends for a cancelled task", says("2 requests arrived.", ["cancellation.before-start"])) {
      base, request in
      if Task.isCancelled {
        _ = try await Task { try await base.send(request) }.value
        throw CancellationError()
      }
      return try await base.send(request)
    },
    .sending(
      "ignores cancellation",
      says(
        "Still waiting after",
        cancelledChecks.filter { $0 != "cancellation.before-start" && $0 != "cancellation.in-redirects" } + promptChecks
      )
    ) { base, request in try await Task { try await base.send(request) }.value },
    .sending(
      "takes its time when it is cancelled",
      says(
        "Cancellation took ",
        cancelledChecks.filter { !["cancellation.before-start", "cancellation.others-go-on"].contains($0) }
          + promptChecks)
    ) { base, request in
      do {
        return try await base.send(request)
      } catch let error as CancellationError {
        _ = await Task { try await Task.sleep(for: .seconds(1)) }.result
        throw error
      }
    },
    .streaming(
      "takes its time when a stream is cancelled",
      says("Cancellation took ", ["streaming.cancelled-before-head", "streaming.request-cancelled"])
    ) {
      do {
        return try await $0.stream($1, body: $2)
      } catch let error as CancellationError {
        _ = await Task { try await Task.sleep(for: .seconds(1)) }.result
        throw error
      }
    },
    .bodies(
      "takes its time when a body is cancelled", says("Cancellation took ", ["streaming.cancelled-while-iterating"])
    ) { body in
      BodyStream(SlowlyCancelled(body: body))
    },
    .sending(
      "is no use after many cancelled requests",
      says("The response is wrong.", ["cancellation.at-any-time"]), with: { Shared(0) }
    ) { base, request, count in
      count.change { $0 += 1 }
      return count.value == 301 ? HTTPResponse(status: 200) : try await base.send(request)
    },
    .sending(
      "leaves the connection of a cancelled task open", says("Still waiting after", promptChecks)
    ) { base, request in
      let (responses, response) = AsyncThrowingStream<HTTPResponse, any Error>.makeStream()
      Task {
        do {
          response.yield(try await base.send(request))
        } catch {
          response.finish(throwing: error)
        }
      }
      // Which ends when the task is cancelled, while the other one goes on.
      for try await response in responses { return response }
      throw CancellationError()
    },
    .sending(
      "cancels all requests with one",
      says("An unexpected CancellationError was thrown.", ["cancellation.others-go-on"]),
      with: { Shared<[Task<HTTPResponse, any Error>]>([]) }
    ) { base, request, tasks in
      let task = Task { try await base.send(request) }
      tasks.change { $0.append(task) }
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        for task in tasks.value { task.cancel() }
      }
    },
    .sending(
      "mixes responses up",
      says(
        "A response is wrong.", ["cancellation.others-go-on", "connections.many-at-once"]
      ), with: { Shared<HTTPResponse?>(nil) }
    ) { base, request, last in
      let response = try await base.send(request)
      return last.exchange(with: response) ?? HTTPResponse(status: 200)
    },
  ]

  static let connections: [TransportDefect] = [
    TransportDefect(
      "keeps no connection",
      says("5 connections were made.", ["connections.reuse"])
        .and("3 connections were made.", checks: ["connections.reuse-after-chunks", "streaming.reuse"])
    ) { transport, limits in
      transport.sending = { try await DefectiveTransport(limits: limits).send($0) }
      transport.streaming = { try await DefectiveTransport(limits: limits).stream($0, body: $1) }
    },
    .sending(
      "keeps a connection whatever was said, and takes what comes on it for the response",
      says("1 connections were made.", ["connections.connection-close"])
        .and(
          "A request got what was sent before it.",
          checks: [
            "connections.extra-bytes", "connections.late-extra-bytes",
            "connections.late-extra-bytes-http2", "connections.late-extra-bytes-http2.0",
            "connections.late-extra-bytes-http3",
          ]
        )
        .and(
          "An unexpected TransportError was thrown.",
          checks: ["connections.closed-under-get", "connections.idle-closed"]),
      with: { RawTransport() }
    ) { try await $2.send($1) }.everywhere,
    .sending(
      "makes a connection beyond the limit",
      says("connections were open at once.", ["connections.limit-per-host"])
        .and("connections were made.", checks: ["connections.connection-close"]),
      with: { Shared<[RawClient]>([]) }
    ) { base, request, others in
      if others.value.isEmpty {
        let other = try await RawClient.connect(to: request.url.port ?? 80)
        others.change { $0.append(other) }
      }
      return try await base.send(request)
    },
    TransportDefect(
      "makes more connections in total", says("connections were open at once.", ["connections.limit-in-total"]),
      limits: { $0.connections = .max }
    ).atTimes,
    TransportDefect(
      "does not wait for a connection",
      says("reason waiting; expected the reason connecting", ["connections.wait-for-connection"]),
      limits: { $0.connectionsPerHost = 16 }),
    .sending(
      "sends what waits for a connection",
      says(
        "The second request arrived.",
        ["connections.wait-for-connection", "cancellation.while-waiting-for-a-connection"])
    ) { base, request in
      guard request.url.path() == "/second" else { return try await base.send(request) }
      // The response may never come, but the server says that it has read the head.
      let client = try await RawClient.connect(to: request.url.port ?? 80)
      await client.send("POST /second HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n")
      _ = try await client.read { $0.hasSuffix("\r\n\r\n") }
      defer { withExtendedLifetime(client) {} }
      return try await base.send(request)
    },
    .sending(
      "keeps a connection too many", says("The connection was not kept.", ["connections.closed-with-transport"]),
      with: { RawTransport() }
    ) { base, request, other in
      _ = try await other.send(request)
      return try await base.send(request)
    }.everywhere,
    .sending("lives for ever", says("Still waiting after", ["connections.closed-with-transport"])) { base, request in
      immortal.change { $0.append(base) }
      return try await base.send(request)
    },
    .requests(
      "does not repeat a repeatable request",
      says("An unexpected TransportError was thrown.", ["connections.repeatable-post"])
    ) { $0.isRepeatable = false },
    .requests(
      "loses the body of a repeated request", says("The body was not sent again.", ["connections.repeatable-post"])
    ) {
      if $0.isRepeatable, $0.method == .post { $0.body = nil }
    },
    .responses("mixes heads up", says("A head is wrong.", ["connections.many-at-once"])) { response, _ in
      if response.fields["X-Target"] != nil { response.fields["X-Target"] = "/" }
    },
    .sending(
      "returns what was sent before",
      says("A request got what was sent before it.", ["connections.extra-bytes-with-queue"])
    ) {
      _ = try await $0.send($1)
      return HTTPResponse(status: 200, body: "forged".bytes)
    },
  ]

  private static let immortal = Shared<[DefectiveTransport]>([])
}

/// A body whose cancellation takes a second.
private struct SlowlyCancelled: AsyncSequence, Sendable {
  let body: BodyStream

  func makeAsyncIterator() -> Iterator { Iterator(base: body.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: BodyStream.Iterator

    mutating func next() async throws -> [UInt8]? {
      do {
        return try await base.next()
      } catch let error as CancellationError {
        _ = await Task { try await Task.sleep(for: .seconds(1)) }.result
        throw error
      }
    }
  }
}
