// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TransportKit

extension TransportDefects {
  static let responses: [TransportDefect] = [
    .responses(
      "loses all fields",
      says("A field of the response is missing.", group: .requests, "method-")
        .and("It is missing.", "responses.length-of-head")
        .and("Set-Cookie is wrong.", "responses.repeated-fields")
        .and("A header field is missing.", "responses.trailers-are-no-fields")
        .and("A field is missing.", "responses.informational", "limits.header-fields")
        .and("A head is wrong.", "connections.many-at-once")
        .and("Location is wrong.", "redirects.none-followed")
        .and("arrived as", "responses.field-white-space", "responses.field-long", "responses.field-empty")
    ) { response, _ in response.fields = [:] },
    .responses(
      "returns the next status",
      says("200 arrived as 201.", "responses.any-status")
        .and("The status is 402.", "responses.challenge")
        .and("The status is 201.", "responses.informational", "redirects.relative-locations")
        .and(
          "The response is wrong.", "responses.status-forms", "responses.status-without-reason", "responses.early"
        )
        .and("The status is 303.", "redirects.none-followed", "redirects.scope-same-origin")
        .and("GET: The status is 201.", group: .redirects, "status-")
        .and("The status is 301.", "redirects.without-location")
        .and("The redirects were not followed.", "redirects.credentials")
        .and("The redirect was not followed.", "redirects.host-is-another-origin")
        .and("The status is 201.", "redirects.origin-of-response")
        .and("The status is 302.", "redirects.scope-none")
        .and("It was refused.", "limits.announced-body-of-head")
        .and("The status is wrong.", "limits.header-bytes")
        .and("The status is wrong.", "time.request-overrides")
    ) { response, _ in response.status += 1 },
    .responses(
      "loses the last byte of a body",
      says(
        "The body is wrong.", "responses.any-status", "responses.challenge", "responses.chunk-forms",
        "responses.trailers-on-closed-connection",
        "responses.trailers-on-kept-connection", "responses.informational", "responses.byte-at-a-time",
        "framing.length-twice-and-same", "framing.length-and-chunks", "limits.body",
        "redirects.none-followed-body", "redirects.body-of-redirect", "faults.next-request",
        "connections.closed-under-get", "connections.idle-closed", "connections.repeatable-post"
      )
      .and("Chunks of 1 bytes: the body is wrong.", "responses.chunk-of-every-size")
      .and("1 bytes, with length: 0 bytes arrived.", "responses.bodies")
      .and(
        "The response is wrong.", "responses.status-forms", "responses.status-without-reason",
        "responses.early", "responses.trailers-are-no-fields", "cancellation.at-any-time"
      )
      .and("A response is wrong.", "cancellation.others-go-on", "connections.many-at-once")
      .and("1 bytes: 0 bytes arrived.", "responses.gzip")
      .and("49999 bytes arrived.", "hostility.tiny-chunks")
      .and("The body has 0 bytes.", "framing.length-too-short")
      .and("A request got what was sent before it.", group: .connections, "extra-bytes", "late-extra-bytes")
    ) { response, _ in response.body = response.body.dropLast() },
    .responses(
      "returns bytes that came after the end",
      says("0: The body has 3 bytes.", "framing.length-too-short")
        .and("HEAD, 200: There is a body.", "responses.no-body")
    ) { response, _ in response.body = "abc".bytes },
    .requests("asks for no encoding", says("Accept-Encoding is identity.", "responses.gzip-is-asked-for")) {
      $0.fields["Accept-Encoding"] = $0.fields["Accept-Encoding"] ?? "identity"
    },
  ]
}
