// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import TestSupport

extension TransportDefects {
  static let requests: [TransportDefect] = [
    .requests(
      "sends no field",
      says("A field is missing.", group: .requests, "method-")
        .and("Authorization went to another host.", "redirects.host-is-another-origin")
    ) { $0.fields = [:] },
    .requests("sends the first of repeated fields", says("The values are 1.", "requests.repeated-fields")) {
      for name in Set($0.fields.map(\.name)) { $0.fields[name] = $0.fields[name] }
    },
    .requests("sends repeated fields in another order", says("The values are 3,1.", "requests.repeated-fields")) {
      $0.fields = HTTPFields($0.fields.reversed().map { ($0.name, $0.value) })
    },
    .requests("sends a User-Agent of its own", says("User-Agent is wrong.", "requests.caller-fields")) {
      $0.fields["User-Agent"] = "own/1"
    },
    .requests("sends another method", says("The method is X-OTHER.", group: .requests, "method-", "body-of-get")) {
      $0.method = "X-OTHER"
    },
    .requests(
      "sends another query",
      says("The target is /a%20b/c?d=e%26f&g=&h", group: .requests, "method-")
        .and("Authorization went to another host.", "redirects.host-is-another-origin")
    ) {
      $0.url = url($0.url.absoluteString + "&h")
    },
    .requests("sends the fragment", says("The target is /a?b%23secret", "requests.fragment")) {
      $0.url = url($0.url.absoluteString.replacing("#", with: "%23"))
    },
    .requests("resolves dot segments", says("/a/%2e%2e/b is /b", "requests.dot-segments")) {
      $0.url = url($0.url.absoluteString.replacing("/a/%2e%2e", with: ""))
    },
    .requests(
      "sends a body that nobody gave",
      says("It has a body.", group: .requests, "method-", except: ["requests.method-head"])
        .and("The length is 1.", "requests.post-without-body")
        .and("An unexpected TransportError was thrown.", "redirects.host-is-another-origin")
    ) { if $0.method != .head { $0.body = $0.body ?? [97] } },
    .sending(
      "returns before the body is sent", says("The body is not complete.", "requests.body-of-get")
    ) { base, request in
      guard request.method == .get, request.body != nil else { return try await base.send(request) }
      let client = try await RawClient.connect(to: request.url.port ?? 80)
      await client.send("GET / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
      _ = try await client.read { $0.hasSuffix("\r\n\r\n") }
      return HTTPResponse(status: 204)
    },
    .requests("says what a missing body is", says("It has a Content-Type.", "requests.post-without-body")) {
      if $0.body == nil { $0.fields["Content-Type"] = "text/plain" }
    },
    .requests(
      "loses the last byte of a body",
      says("POST: 0 bytes of 1 arrived.", "requests.bodies")
        .and("The body did not arrive.", "requests.body-of-get")
        .and("The body is wrong.", "requests.framing-fields")
    ) { $0.body = $0.body.map { $0.dropLast() } },
    .sending(
      "sends no length of an empty body",
      says("POST: An empty body was sent without Content-Length.", "requests.bodies")
        .and("The length is missing.", "requests.post-without-body")
    ) { base, request in
      guard request.method != .get, request.body ?? [] == [] else { return try await base.send(request) }
      return try await RawTransport().send(request, lines: [])
    },
    .sending("takes the caller's length", says("The body is wrong.", "requests.framing-fields")) {
      base, request in
      guard request.method == .post else { return try await base.send(request) }
      return try await RawTransport().send(request, lines: request.fields.map { "\($0.name): \($0.value)" })
    },
    .sending("sends the caller's length too", says("The length was changed.", "requests.framing-fields")) {
      guard $1.method == .post else { return try await $0.send($1) }
      return try await RawTransport().send(
        $1, lines: ["Content-Length: 3"] + $1.fields.map { "\($0.name): \($0.value)" })
    },
    .sending(
      "takes the caller's transfer encoding", says("Transfer-Encoding was sent.", "requests.framing-fields")
    ) { base, request in
      guard request.fields["Transfer-Encoding"] != nil else { return try await base.send(request) }
      return try await RawTransport().send(
        request, lines: ["Content-Length: 3", "Transfer-Encoding: chunked"], body: "3\r\nabc\r\n0\r\n\r\n")
    },
    .sending("closes as the caller says", says("Connection: close was sent.", "requests.framing-fields")) {
      guard let connection = $1.fields["Connection"] else { return try await $0.send($1) }
      return try await RawTransport().send($1, lines: ["Content-Length: 3", "Connection: \(connection)"])
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
      "connects before it looks at the request", says("A connection was made.", "requests.malformed")
    ) { base, request in
      if let port = request.url.port, (try? request.validate()) == nil {
        _ = try await RawTransport().send(HTTPRequest(.get, url("http://127.0.0.1:\(port)/")))
      }
      return try await base.send(request)
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
    .sending(
      "asks for what has changed", says("A condition was sent.", "requests.no-cache"), with: { Shared<String?>(nil) }
    ) { base, request, tag in
      var request = request
      request.fields["If-None-Match"] = tag.value
      let response = try await base.send(request)
      tag.value = response.fields["ETag"]
      return response
    },
    .sending("shows the URL in its errors", says("The error shows it.", "requests.errors-hide-secrets")) {
      base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError {
        throw TransportError(error.code, reason: error.reason, "\(request.url.absoluteString): \(error.message)")
      }
    },
    .errors("names no server", says("The message does not name the server.", "requests.errors-hide-secrets")) {
      guard let error = $0 as? TransportError else { throw $0 }
      throw TransportError(error.code, reason: error.reason, "The connection was lost.")
    },
  ]
}
