// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport

extension TransportDefects {
  /// Keeps memory for ever: little for each request to the root, and much for any other.
  static let hoarding = TransportDefect(
    "hoards memory", [:],
    change: { transport, _ in
      let base = transport
      transport.sending = { request in
        hoard.change { $0.append(Array(repeating: 1, count: request.url.path() == "/" ? 16_384 : 16 << 20)) }
        return try await base.send(request)
      }
      transport.streaming = { request, body in
        hoard.change { $0.append(Array(repeating: 1, count: 16 << 20)) }
        return try await base.stream(request, body: body)
      }
    })
  private static let hoard = Shared<[[UInt8]]>([])

  static let limits: [TransportDefect] = [
    TransportDefect(
      "ignores the limit of the body", says("It succeeded", "limits.body"), limits: { $0.bodyBytes *= 2 }),
    TransportDefect(
      "ignores the limit of a body that has no end",
      says(
        "It failed with timedOut", "limits.announced-body", "limits.endless-body", "limits.endless-chunks"),
      limits: {
        $0.bodyBytes = .max
        $0.timeout = .milliseconds(100)
      }),
    TransportDefect(
      "takes one byte more", says("It succeeded", "limits.body"),
      limits: { $0.bodyBytes += 1 }),
    TransportDefect(
      "takes one byte less", says("An unexpected TransportError", "limits.body"), limits: { $0.bodyBytes -= 1 }),
    TransportDefect(
      "ignores the limit of the encoded body", says("It succeeded", "limits.encoded-body"),
      limits: { $0.encodedBodyBytes = nil }),
    TransportDefect(
      "ignores the limit of the head", says("It succeeded", "limits.header-bytes"), limits: { $0.headerBytes = .max }),
    TransportDefect(
      "halves the limit of the head", says("An unexpected TransportError", "limits.header-bytes"),
      limits: { if $0.headerBytes == 4_000 { $0.headerBytes = 900 } }),
    TransportDefect(
      "ignores the number of fields",
      says("It succeeded", "limits.header-fields", "limits.trailer-fields", "limits.informational-fields"),
      limits: { $0.headerFields = .max }),
    TransportDefect(
      "halves the number of fields", says("An unexpected TransportError", "limits.header-fields"),
      limits: { $0.headerFields /= 2 }),
    .responses(
      "takes the length in a response to HEAD for that of a body",
      says("It was refused.", "limits.announced-body-of-head")
    ) { response, request in if request.method == .head { response.status = 502 } },
    .sending(
      "returns the redirect whose body is too large", says("The status is 302.", "limits.endless-redirect-body")
    ) { _, _ in HTTPResponse(status: 302) }.everywhere,
    .responses("loses the body of a full length", says("The body is wrong.", "limits.body")) { response, _ in
      if response.body.count == 1_000 { response.body = [] }
    },

    // Time.
    .sending(
      "gives up at once",
      says("before its limit of", group: .time, "hang", "connect", "trickle", "slow-", "request-body")
    ) { _, _ in throw TransportError(.timedOut, "It took too long.") }.withoutReasons.everywhere,
    TransportDefect(
      "exceeds the time limit", says("the limit is", "time.hang"),
      limits: { $0.timeout += .seconds(3) }
    ).atTimes,
    TransportDefect(
      "ignores the time limit",
      says("Still waiting after", "time.connect", "time.hang", "time.trickle", "time.slow-body", "redirects.deadline"),
      limits: { $0.timeout = .seconds(20) }
    ),
    .requests("ignores a request's time limit", says("Still waiting after", "time.request-overrides")) {
      $0.timeout = nil
    },
    TransportDefect("takes no limit for zero", says("It succeeded", "time.request-overrides")) { transport, limits in
      if limits.timeout == .zero { transport = DefectiveTransport(limits: TransportLimits()) }
    },
    TransportDefect("takes the shorter limit", says("An unexpected TransportError", "time.request-overrides")) {
      let (base, limits) = ($0, $1)
      $0.sending = { request in
        var request = request
        request.timeout = min(limits.timeout, request.timeout ?? limits.timeout)
        return try await base.send(request)
      }
    },
    .sending(
      "leaves the connection open when time is up",
      says("Still waiting after", "time.hang", "time.hang-in-body")
    ) { base, request in
      var patient = request
      patient.timeout = .seconds(20)
      Task { [patient] in try await base.send(patient) }
      return try await base.send(request)
    }.everywhere,
  ]
}
