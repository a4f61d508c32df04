// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import TransportKit

extension TransportDefects {
  static let requests: [TransportDefect] = [
    .requests("sends a User-Agent of its own", says("User-Agent is wrong.", "requests.caller-fields")) {
      $0.fields["User-Agent"] = "own/1"
    },
    .requests("sends the fragment", says("The target is /a?b%23secret", "requests.fragment")) {
      $0.url = url($0.url.absoluteString.replacing("#", with: "%23"))
    },
    .requests("resolves dot segments", says("/a/%2e%2e/b is /b", "requests.dot-segments")) {
      $0.url = url($0.url.absoluteString.replacing("/a/%2e%2e", with: ""))
    },
    .requests(
      "loses the last byte of a body",
      says("POST: 0 bytes of 1 arrived.", "requests.bodies")
        .and("The body did not arrive.", "requests.body-of-get")
        .and("The body is wrong.", "requests.framing-fields")
    ) { $0.body = $0.body.map { $0.dropLast() } },
    .sending("takes the caller's length", says("The body is wrong.", "requests.framing-fields")) {
      base, request in
      guard request.method == .post else { return try await base.send(request) }
      return try await RawTransport().send(request, lines: request.fields.map { "\($0.name): \($0.value)" })
    },
    .sending(
      "sends every request twice",
      says("2 requests arrived.", group: .requests, "method-", "bod", "post-without-body", "repeated-fields")
        .and("2 requests arrived.", "responses.challenge", "connections.idle-closed")
        .and("4 requests arrived.", "redirects.status-301", "redirects.status-308")
        .and("16 requests arrived.", "connections.limit-per-host")
    ) { base, request in
      _ = try? await base.send(request)
      return try await base.send(request)
    }.everywhere,
    .sending("takes malformed requests", says("GET ftp:", "requests.malformed")) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError where error.code == .invalidRequest {
        return HTTPResponse(status: 200)
      }
    },
    .sending(
      "keeps cookies", says("The server was sent", "requests.no-cookies"), with: { Shared<String?>(nil) }
    ) { base, request, cookie in
      var request = request
      request.fields["Cookie"] = cookie.value ?? request.fields["Cookie"]
      let response = try await base.send(request)
      cookie.value = response.fields["Set-Cookie"]
      return response
    },
    .sending(
      "keeps responses", says("The second request did not arrive.", "requests.no-cache"),
      with: { Shared<HTTPResponse?>(nil) }
    ) { base, request, last in
      if let response = last.value, response.fields["Cache-Control"] != nil { return response }
      let response = try await base.send(request)
      last.value = response
      return response
    },
  ]
}
