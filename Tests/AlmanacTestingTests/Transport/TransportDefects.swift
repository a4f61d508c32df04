// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Synchronization

/// The defects that `TransportConformance` reports.
enum TransportDefects {
  static let all = [
    TransportDefect(
      "succeeds without a server",
      """
      requests.malformed requests.no-cookies requests.no-cache requests.errors-hide-secrets
      redirects.loop redirects.body-to-another-origin redirects.unreachable-second-hop redirects.deadline
      redirects.location-* faults.refused faults.unknown-host faults.not-tls faults.closed* faults.reset*
      faults.truncated-* faults.stalled-* framing.length-negative framing.length-plus framing.length-hexadecimal
      framing.length-word framing.length-empty framing.length-with-rest framing.length-fraction
      framing.length-two-in-one framing.length-twice-and-different framing.length-beyond-64-bits
      framing.length-too-long framing.chunk-* hostility.http-* hostility.ssh hostility.smtp hostility.tls-alert
      hostility.status-* hostility.version hostility.field-without-colon hostility.random-bytes
      hostility.unknown-encoding hostility.broken-gzip hostility.gzip-without-end hostility.many-encodings
      hostility.endless-* limits.announced-body limits.encoded-body limits.gzip-bomb* limits.endless-body
      limits.endless-chunks limits.trailer-fields limits.informational-fields time.* connections.post-*
      connections.large-post-closed streaming.two-bodies streaming.redirected-request-body
      streaming.request-not-sent-again streaming.request-backpressure streaming.request-length-mismatch
      streaming.request-body-throws streaming.truncated streaming.malformed streaming.body-limit
      streaming.time-limit streaming.redirect-to-another-origin
      """
    ) {
      $0.sending = { _ in HTTPResponse(status: 200) }
      $0.streaming = { _, _ in StreamedResponse(status: 200) }
    },
    TransportDefect(
      "refuses every request",
      """
      framing.unknown-transfer-encoding hostility.blank-lines hostility.switching-protocols hostility.nul-*
      hostility.cr-* hostility.lf-* hostility.8-bit-* hostility.escape-* responses.folded-field
      responses.field-empty limits.endless-redirect-body
      """
    ) {
      $0.sending = { _ in throw TransportError(.invalidRequest, "The request is invalid.") }
    },

    // Requests.
    .requests("sends its own User-Agent", "requests.caller-fields") { $0.fields["User-Agent"] = "own/1" },
    .requests("accepts no encoding", "responses.gzip-is-asked-for") { $0.fields["Accept-Encoding"] = "identity" },
    .requests("changes URLs", "requests.fragment requests.dot-segments") { request in
      let text = request.url.absoluteString.replacing("#", with: "%23").replacing("/a/%2e%2e", with: "")
      if let url = URL(string: text) { request.url = url }
    },
    .requests(
      "loses the last byte of a request body", "requests.bodies requests.body-of-get requests.framing-fields"
    ) { $0.body = $0.body.map { $0.dropLast() } },
    TransportDefect(
      "sends every request twice",
      """
      requests.method-* requests.post-without-body requests.repeated-fields responses.challenge redirects.status-*
      redirects.other-status connections.idle-closed connections.limit-per-host connections.connection-close
      """
    ) {
      $0.sending = { [base = $0] request in
        _ = try? await base.send(request)
        return try await base.send(request)
      }
    },

    // Responses.
    .responses(
      "loses all fields",
      "responses.length-of-head responses.field-* responses.repeated-fields limits.header-fields redirects.none-followed"
    ) { $0.fields = [:] },
    .responses(
      "returns the next status",
      """
      redirects.without-location redirects.credentials redirects.host-is-another-origin
      redirects.origin-of-response redirects.scope-* redirects.relative-locations limits.announced-body-of-head
      limits.header-bytes
      """
    ) { $0.status += 1 },
    .responses(
      "loses the last byte of a body",
      """
      responses.any-status responses.bodies responses.chunk-* responses.trailers* responses.informational
      responses.byte-at-a-time responses.status-* responses.early responses.gzip framing.length-too-short
      framing.length-twice-and-same framing.length-and-chunks hostility.tiny-chunks limits.body
      redirects.none-followed-body redirects.body-of-redirect faults.next-request cancellation.at-any-time
      cancellation.others-go-on connections.closed-under-get connections.repeatable-post connections.many-at-once
      connections.extra-bytes* connections.late-extra-bytes* streaming.others-go-on
      """
    ) { $0.body = $0.body.dropLast() },
    .responses("returns a body that was not sent", "responses.no-body") { $0.body = [97] },

    // Errors and cancellation.
    .errors("gives no reason", "faults.refused hostility.ssh time.hang limits.endless-body") { error in
      guard let error = error as? TransportError else { throw error }
      throw TransportError(error.code, error.message)
    },
    .errors(
      "returns a response to a cancelled task",
      """
      cancellation.before-* cancellation.while-* cancellation.in-* cancellation.many-while-hostile
      streaming.cancelled-before-head streaming.request-cancelled
      """
    ) {
      guard $0 is CancellationError else { throw $0 }
      return HTTPResponse(status: 200)
    },

    // Connections.
    TransportDefect("keeps no connection", "connections.reuse connections.reuse-after-chunks streaming.reuse") {
      $0.sending = { try await CurlTransport().send($0) }
      $0.streaming = { try await CurlTransport().stream($0, body: $1) }
    },
    TransportDefect(
      "has more connections", "connections.limit-in-total connections.wait-for-connection", attempts: 20,
      limits: { ($0.connections, $0.connectionsPerHost) = (.max, 16) }),
    TransportDefect("keeps its connections forever", "connections.closed-with-transport", hangs: true) { transport in
      kept.withLock { $0.append(transport) }
    },

    // Streaming.
    .streaming(
      "changes every body",
      """
      streaming.head-first streaming.redirect streaming.redirect-to-get streaming.request-body
      streaming.many-at-once streaming.whole-body
      """
    ) {
      var response = try await $0.stream($1, body: $2)
      response.body = BodyStream(response.body.map { $0.map { $0 ^ 1 } }, length: response.body.length)
      return response
    },
    .streaming("replaces empty bodies", "streaming.no-body streaming.cancelled-while-iterating") {
      var response = try await $0.stream($1, body: $2)
      if response.body.length ?? 0 == 0 { response.body = BodyStream([97]) }
      return response
    },
    .streaming("reads ahead", "streaming.backpressure") {
      var response = try await $0.stream($1, body: $2)
      // The server stalls as long as the body exists.
      keptBodies.withLock { $0.append(response.body) }
      var bytes: [UInt8] = []
      for try await chunk in response.body {
        bytes += chunk
        if bytes.count > 32 << 20 { break }
      }
      response.body = BodyStream(bytes)
      return response
    },
    .streaming("keeps a body that was released", "streaming.dropped-body", hangs: true) {
      let response = try await $0.stream($1, body: $2)
      keptBodies.withLock { $0.append(response.body) }
      return response
    },
    .streaming("ends a request body at an empty chunk", "streaming.request-body-with-empty-chunks") {
      try await $0.stream($1, body: $2.map { BodyStream(try $0.prefix { !$0.isEmpty }) })
    },
    .streaming("collects a request body", "streaming.request-body-as-it-comes", hangs: true) {
      try await $0.stream($1, body: BodyStream(try await $2?.bytes(upTo: .max) ?? []))
    },
  ]

  /// Keeps memory forever: 16 KiB for each request to the root, and 16 MiB for any other.
  static let hoarding = TransportDefect("hoards memory", "memory.*") {
    $0.sending = { [base = $0] request in
      hoard.withLock { $0.append(Array(repeating: 1, count: request.url.path() == "/" ? 16_384 : 16 << 20)) }
      return try await base.send(request)
    }
    $0.streaming = { [base = $0] request, body in
      hoard.withLock { $0.append(Array(repeating: 1, count: 16 << 20)) }
      return try await base.stream(request, body: body)
    }
  }

  private static let kept = Mutex<[DefectiveTransport]>([])
  private static let keptBodies = Mutex<[BodyStream]>([])
  private static let hoard = Mutex<[[UInt8]]>([])
}
