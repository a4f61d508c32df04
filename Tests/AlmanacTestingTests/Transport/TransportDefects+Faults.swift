// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TransportKit

extension TransportDefects {
  /// The checks that expect nothing but an error.
  private static let refusals =
    says(
      "succeeded; expected", group: .framing, "length-negative", "length-plus", "length-hex", "length-word",
      "length-empty",
      "length-with", "length-frac", "length-two", "length-twice-and-different", "length-beyond", "length-too-long",
      "chunk-"
    )
    .and(
      "succeeded; expected", group: .hostility, "http-", "ssh", "smtp", "tls-", "status-word", "status-missing",
      "status-negative", "status-small", "status-two", "status-four", "version", "field-without", "random-bytes",
      "unknown-encoding", "broken-gzip", "gzip-without-end", "many-encodings", "endless-"
    )
    .and(
      "succeeded; expected", group: .faults, "refused", "unknown-host", "not-tls", "closed", "reset", "truncated-",
      "stalled-"
    )
    .and(
      "succeeded; expected", "redirects.loop", "redirects.body-to-another-origin", "redirects.unreachable-second-hop",
      "redirects.deadline", "requests.errors-hide-secrets"
    )
    .and(
      "succeeded; expected", "limits.announced-body", "limits.encoded-body", "limits.gzip-bomb",
      "limits.gzip-bomb-twice",
      "limits.endless-body", "limits.endless-chunks", "limits.trailer-fields", "limits.informational-fields"
    )
    .and("succeeded; expected", group: .time, "")
    .and("succeeded; expected", group: .connections, "post-", "large-post")

  static let faults: [TransportDefect] = [
    .sending(
      "says that the request is invalid",
      refusals.mapValues { _ in "failed with invalidRequest, no reason; expected [" }
        .and("An unexpected TransportError was thrown.", group: .connections, "post-", "large-post")
        .and("\"A:\" failed with invalidRequest, no reason.", "responses.field-empty")
        .and(
          "failed with invalidRequest, no reason", "framing.length-too-short", "framing.length-twice-and-same",
          "framing.length-and-chunks", "framing.unknown-transfer-encoding", "hostility.blank-lines",
          "hostility.switching-protocols", "responses.folded-field", "limits.endless-redirect-body",
          "connections.late-extra-bytes", "connections.late-extra-bytes-http2", "connections.late-extra-bytes-http2.0",
          "connections.late-extra-bytes-http3"
        )
        .and("failed with invalidRequest, no reason", group: .hostility, "nul-", "cr-", "lf-", "8-bit-", "escape-")
    ) { _, _ in throw TransportError(.invalidRequest, "The request is invalid.") }.everywhere
  ]
}
