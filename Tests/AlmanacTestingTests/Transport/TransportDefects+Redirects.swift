// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport

extension TransportDefects {
  static let redirects: [TransportDefect] = [
    TransportDefect(
      "follows no redirect",
      says("GET: The status is 30", group: .redirects, "status-")
        .and("The redirects were not followed.", "redirects.credentials")
        .and("The redirect was not followed.", "redirects.host-is-another-origin")
        .and("The status is 302.", "redirects.relative-locations", "streaming.redirect", "redirects.origin-of-response")
        .and("It succeeded", "redirects.loop", "redirects.body-to-another-origin", "redirects.unreachable-second-hop")
        .and("The body is wrong.", "redirects.body-of-redirect", "streaming.redirect-to-get")
        .and("The requests are", "redirects.scope-same-origin"),
      limits: { $0.redirects = 0 }),
    TransportDefect(
      "always follows redirects",
      says("An unexpected TransportError", "redirects.none-followed", "redirects.none-followed-body"),
      limits: { $0.redirects = max(1, $0.redirects) }),
    TransportDefect(
      "follows one redirect too many", says("5 requests arrived.", "redirects.loop"), limits: { $0.redirects += 1 }),
    .redirects(
      "keeps the method",
      says("POST became POST.", "redirects.status-301", "redirects.status-302", "redirects.status-303")
    ) { next, current, _ in
      next.method = current.method
      next.body = current.body
    },
    .redirects("makes every request a GET", says("POST became GET.", "redirects.status-307", "redirects.status-308")) {
      next, _, _ in next.method = .get
    },
    .redirects(
      "forgets the body", says("POST: The body is wrong.", "redirects.status-307", "redirects.status-308")
    ) {
      next, _, _ in next.body = nil
    },
    .redirects(
      "keeps the body with GET",
      says("POST: The body is wrong.", "redirects.status-301", "redirects.status-302", "redirects.status-303")
    ) { next, current, _ in next.body = current.body },
    .redirects(
      "keeps Content-Type without a body",
      says("POST: Content-Type without a body.", "redirects.status-301", "redirects.status-302", "redirects.status-303")
    ) { next, current, _ in next.fields["Content-Type"] = current.fields["Content-Type"] },
    .redirects(
      "forgets the fields",
      says("GET: A field is missing.", group: .redirects, "status-")
        .and("A field that is no credential is missing.", "redirects.credentials")
    ) { next, _, _ in next.fields = [:] },
    .redirects(
      "forgets the query",
      says("GET: The target is /to.", group: .redirects, "status-")
        .and("?y is /b/c/d, not /b/c/d?y.", "redirects.relative-locations")
    ) { next, _, _ in next.url = url("\(next.url.absoluteString.prefix { $0 != "?" })") },
    .redirects("resolves locations at the root", says("g is /g, not /b/c/g.", "redirects.relative-locations")) {
      next, _, _ in next.url = url(next.url.absoluteString.replacing("/b/c/", with: "/"))
    },
    credentialLeak("Authorization"), credentialLeak("Cookie"), credentialLeak("Proxy-Authorization"),
    credentialLeak("DPoP"),
    .redirects("sends credentials on the way back", says("Authorization was restored.", "redirects.credentials")) {
      next, _, original in
      if Origin(next.url) == Origin(original.url) { next.fields["Authorization"] = original.fields["Authorization"] }
    },
    .redirects(
      "takes the port for the origin", says("Authorization went to another host.", "redirects.host-is-another-origin")
    ) { next, current, _ in
      if next.url.port == current.url.port { next.fields["Authorization"] = current.fields["Authorization"] }
    },
    .sending(
      "sends bodies to another origin", says("It succeeded", "redirects.body-to-another-origin")
    ) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError where error.code == .redirectRefused && request.body != nil {
        return HTTPResponse(status: 200)
      }
    },
    .sending(
      "follows redirects before it looks at them", says("A connection was made.", "redirects.body-to-another-origin")
    ) { base, request in
      do {
        return try await base.send(request)
      } catch let error as TransportError where error.code == .redirectRefused {
        // Where the redirect leads is found out once more.
        var probe = request
        probe.body = nil
        _ = try await base.send(probe)
        throw error
      }
    },
    .sending("follows Location with any status", says("Location was followed.", "redirects.other-status")) {
      base, request in
      let response = try await base.send(request)
      return response.fields["Location"] == "/to" && response.status < 300
        ? try await base.send(HTTPRequest(.get, url("http://127.0.0.1:\(request.url.port ?? 80)/to"))) : response
    },
    .responses("does not name the origin", says("/far: The origin is none", "redirects.origin-of-response")) {
      response, _ in response.redirectedOrigin = nil
    },
    .responses(
      "always names the origin",
      says("/to: The origin is http:", "redirects.origin-of-response")
        .and("The response names another origin.", "redirects.scope-same-origin")
    ) {
      response, request in response.redirectedOrigin = response.redirectedOrigin ?? Origin(request.url)
    },
    .responses(
      "names the origin unless it is that of the request",
      says("/there-and-back: The origin is none", "redirects.origin-of-response")
    ) { response, request in
      if response.redirectedOrigin == Origin(request.url) { response.redirectedOrigin = nil }
    },
    .requests(
      "ignores where redirects may lead",
      says("The status is 200.", "redirects.scope-none", "redirects.scope-same-origin")
    ) { $0.redirectScope = .anyOrigin },
    .requests(
      "follows no redirect of a request with a scope", says("The requests are", "redirects.scope-same-origin")
    ) { if $0.redirectScope == .sameOrigin { $0.redirectScope = .noOrigin } },
    .sending("sends a request that must not be redirected twice", says("2 requests arrived.", "redirects.scope-none")) {
      if $1.redirectScope == .noOrigin { _ = try await $0.send($1) }
      return try await $0.send($1)
    },
    .sending("reaches the other server twice", says("The other server was not reached once.", "redirects.credentials"))
    {
      let response = try await $0.send($1)
      if let port = $1.url.query(), let port = Int(port) {
        _ = try await RawTransport().send(HTTPRequest(.get, url("http://127.0.0.1:\(port)/")))
      }
      return response
    },
    .responses("changes Location", says("Location is wrong.", "redirects.none-followed")) { response, _ in
      if let location = response.fields["Location"] { response.fields["Location"] = location + "&state=" }
    },
    .errors(
      "calls a second server that is down unreachable",
      says("It failed with unreachable", "redirects.unreachable-second-hop")
    ) {
      guard let error = $0 as? TransportError, error.code == .connectionLost else { throw $0 }
      throw TransportError(.unreachable, error.message)
    },
    .sending(
      "takes every Location and error for a success", says("The status is 200.", group: .redirects, "location-")
    ) { base, request in
      _ = try? await base.send(request)
      return HTTPResponse(status: 200)
    }.everywhere,
    .sending(
      "calls everything too large", says("It failed with tooLarge", group: .redirects, "location-")
    ) { _, _ in throw TransportError(.tooLarge, "It is too large.") }.everywhere,
  ]

  private static func credentialLeak(_ name: String) -> TransportDefect {
    .redirects(
      "sends \(name) to another origin",
      says("\(name) was sent to another origin or restored.", "redirects.credentials")
        .and(
          "Authorization went to another host.",
          checks: name == "Authorization" ? ["redirects.host-is-another-origin"] : [])
    ) { next, current, original in
      // Not on the way back, which is another defect.
      if Origin(next.url) != Origin(original.url) { next.fields[name] = current.fields[name] }
    }
  }
}
