// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

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

  private static let reasons =
    says(
      "expected the reason malformedHead", group: .hostility, "http-", "ssh", "smtp", "tls-", "status-word",
      "status-missing",
      "status-negative", "status-small", "status-two", "status-four", "version", "field-without", "random-bytes"
    )
    .and("expected the reason malformedEncoding", "hostility.unknown-encoding", "hostility.broken-gzip")
    .and(
      "expected the reason malformedFraming", group: .framing, "chunk-word", "chunk-empty-line", "chunk-negative",
      "chunk-prefix", "chunk-no-end"
    )
    .and(
      "expected the reason head", group: .hostility, "endless-status", "endless-name", "endless-fields",
      "endless-folds",
      "endless-informational", "endless-continue", "endless-trailers", "endless-trailer"
    )
    .and(
      "expected the reason head", "limits.header-bytes", "limits.header-fields", "limits.trailer-fields",
      "limits.informational-fields"
    )
    .and(
      "expected the reason body", "limits.body", "limits.announced-body", "limits.endless-body", "limits.endless-chunks"
    )
    .and("expected the reason encodedBody", "limits.encoded-body")
    .and("expected the reason connectionRefused", "faults.refused")
    .and("expected the reason unknownHost", "faults.unknown-host")
    .and("expected the reason handshake", "faults.not-tls")

  static let faults: [TransportDefect] = [
    .sending(
      "succeeds without a server", refusals.and("The body is wrong.", "hostility.blank-lines")
    ) { _, _ in HTTPResponse(status: 200) }.everywhere,
    .sending("fails in a way of its own", refusals.mapValues { _ in "An unexpected OwnError was thrown." }) { _, _ in
      throw OwnError()
    }.everywhere,
    .sending(
      "says that the request is invalid",
      refusals.mapValues { _ in "failed with invalidRequest, no reason; expected [" }
        .and("An unexpected TransportError was thrown.", group: .connections, "post-", "large-post")
        .and("\"A:\": invalidRequest, no reason.", "responses.field-empty")
        .and(
          "failed with invalidRequest, no reason", "framing.length-too-short", "framing.length-twice-and-same",
          "framing.length-and-chunks", "framing.unknown-transfer-encoding", "hostility.blank-lines",
          "hostility.switching-protocols", "responses.folded-field", "limits.endless-redirect-body",
          "connections.late-extra-bytes", "connections.late-extra-bytes-http2", "connections.late-extra-bytes-http2.0",
          "connections.late-extra-bytes-http3"
        )
        .and("failed with invalidRequest, no reason", group: .hostility, "nul-", "cr-", "lf-", "8-bit-", "escape-")
    ) { _, _ in throw TransportError(.invalidRequest, "The request is invalid.") }.everywhere,
    .sending("gives a reason that does not fit", reasons) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError {
        throw TransportError(error.code, reason: .noRoute, error.message)
      }
    },
    .sending("gives no reason", reasons) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError {
        throw TransportError(error.code, error.message)
      }
    },
    .sending(
      "takes a truncated response for a whole one",
      says(
        "succeeded", group: .faults, "truncated-length", "truncated-chunks",
        "truncated-trailer", "truncated-gzip"
      )
      .and("10 succeeded", "framing.length-too-long")
    ) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError where error.code == .truncated {
        return HTTPResponse(status: 200)
      }
    },
    .sending(
      "sends a request again when its connection is lost",
      says("POST: The request arrived 2 times.", "faults.closed", "faults.reset")
        .and("The request arrived 2 times.", "faults.reset-in-request")
        .and("GET: 2 requests arrived.", "redirects.unreachable-second-hop")
        .and("It reached the server more than once.", group: .connections, "post-", "large-post")
    ) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError where error.code == .connectionLost {
        return try await base.send(request)
      }
    },
    .sending(
      "is no use after a fault", says("An unexpected TransportError was thrown.", "faults.next-request"),
      with: { Shared(false) }
    ) { base, request, isBroken in
      if isBroken.value { throw TransportError(.connectionLost, "The connection was lost before.") }
      do {
        return try await base.send(request)
      } catch {
        isBroken.value = true
        throw error
      }
    },
    .sending(
      "sends a request without end twice",
      says(
        "2 connections were made.", group: .hostility, "endless-status", "endless-name",
        "endless-fields", "endless-folds", "endless-informational", "endless-continue", "endless-trailers",
        "endless-trailer")
    ) { base, request in
      _ = try? await base.send(request)
      return try await base.send(request)
    }.everywhere,
    .sending(
      "lets line breaks into fields",
      says(
        "A field holds CR, LF or NUL.", group: .hostility, "nul-", "cr-", "lf-", "8-bit-",
        "escape-")
    ) { _, _ in HTTPResponse(status: 200, fields: ["X-A": "b\r"]) }.everywhere,
    .sending(
      "lets NUL into fields", says("A field holds CR, LF or NUL.", "hostility.nul-in-header-lines")
    ) { _, _ in HTTPResponse(status: 200, fields: ["X-A": "b\0"]) }.everywhere,
    .sending(
      "lets line feeds into names", says("A field holds CR, LF or NUL.", "hostility.lf-in-header-lines")
    ) { _, _ in HTTPResponse(status: 200, fields: ["X\nA": "b"]) }.everywhere,
  ]

  private struct OwnError: Error {}
}
