// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport

extension TransportConformance {
  static let redirectChecks = Group.redirects.checks(
    [301, 302, 303, 307, 308].map { status in
      Check(
        "status-\(status)", "A \(status) is followed on the same origin, with the method that RFC 9110 § 15.4 requires."
      ) { subject in
        for method in [HTTPMethod.get, .post, .put, .head] {
          let server = try subject.server { request in
            request.target == "/from"
              ? [.response(status, ["Location": "/to?a=b"], body: "moved")]
              : [.response(200, body: request.method == "HEAD" ? "" : "there")]
          }
          var request = HTTPRequest(method, server.url("/from"), fields: ["Authorization": "Bearer token"])
          if method == .post || method == .put {
            request.body = "body".bytes
            request.fields["Content-Type"] = "text/plain"
          }
          let response = try await subject.transport().send(request)
          try require(response.status == 200, "\(method): The status is \(response.status).")
          try require(server.requests.count == 2, "\(method): \(server.requests.count) requests arrived.")
          guard let followed = server.requests.last else { return }
          let isGET = method == .post && status < 304 || method == .put && status == 303
          try require(followed.target == "/to?a=b", "\(method): The target is \(followed.target).")
          try require(followed.method == (isGET ? "GET" : method.rawValue), "\(method) became \(followed.method).")
          try require(followed.body == (isGET ? [] : request.body ?? []), "\(method): The body is wrong.")
          try require(isGET ? followed.fields["Content-Type"] == nil : true, "\(method): Content-Type without a body.")
          try require(followed.fields["Authorization"] == "Bearer token", "\(method): A field is missing.")
        }
      }
    } + [
      Check("credentials", "Credentials are not sent to another origin, and are not restored by a redirect back.") {
        subject in
        let home = try subject.server { request in
          request.target.hasPrefix("/back")
            ? [.response(200)]
            : [.response(302, ["Location": "http://127.0.0.1:\(request.target.dropFirst(2))/"])]
        }
        let port = home.port
        let other = try subject.server(.response(302, ["Location": "http://127.0.0.1:\(port)/back"]))
        let request = HTTPRequest(
          .get, home.url("/?\(other.port)"),
          fields: ["Authorization": "a", "Cookie": "b", "Proxy-Authorization": "c", "DPoP": "d", "X-Kept": "e"])
        try require(try await subject.send(request).status == 200, "The redirects were not followed.")
        try require(home.requests.map { $0.fields["Authorization"] } == ["a", nil], "Authorization was restored.")
        try require(other.requests.count == 1, "The other server was not reached once.")
        for received in other.requests + home.requests.dropFirst() {
          for name in ["Authorization", "Cookie", "Proxy-Authorization", "DPoP"] {
            try require(received.fields[name] == nil, "\(name) was sent to another origin or restored.")
          }
          try require(received.fields["X-Kept"] == "e", "A field that is no credential is missing.")
        }
      },

      Check("host-is-another-origin", "Another host name of the same server is another origin.") { subject in
        let server = try subject.server { request in
          request.target == "/"
            ? [.response(302, ["Location": "http://localhost:\(request.port)/to"])] : [.response(200)]
        }
        let request = HTTPRequest(.get, server.url(), fields: ["Authorization": "a"])
        try require(try await subject.send(request).status == 200, "The redirect was not followed.")
        try require(
          server.requests.map { $0.fields["Authorization"] } == ["a", nil], "Authorization went to another host.")
      },

      Check(
        "origin-of-response",
        "A response after a redirect to another origin names the origin that sent it. Any other response names none."
      ) { subject in
        let home = try subject.server { request in
          switch request.target {
          case "/near": [.response(302, ["Location": "/to"])]
          case "/far", "/there-and-back":
            [.response(302, ["Location": "http://localhost:\(request.port)\(request.target)/to"])]
          case "/there-and-back/to": [.response(302, ["Location": "http://127.0.0.1:\(request.port)/to"])]
          default: [.response(200)]
          }
        }
        for (target, host) in [
          ("/to", nil), ("/near", nil), ("/far", "localhost"), ("/there-and-back", "127.0.0.1"),
        ] {
          let response = try await subject.send(HTTPRequest(.get, home.url(target)))
          let origin = response.redirectedOrigin?.description ?? "none"
          let expected = host.map { "http://\($0):\(home.port)" } ?? "none"
          try require(response.status == 200, "\(target): The status is \(response.status).")
          try require(origin == expected, "\(target): The origin is \(origin), not \(expected).")
        }
      },

      Check(
        "scope-same-origin",
        "With the scope sameOrigin, redirects within the origin are followed. A redirect to another origin is the response."
      ) { subject in
        let home = try subject.server { request in
          switch request.target {
          case "/": [.response(302, ["Location": "/to"])]
          case "/to": [.response(302, ["Location": "http://localhost:\(request.port)/far"])]
          default: [.response(200)]
          }
        }
        let response = try await subject.send(HTTPRequest(.get, home.url(), redirectScope: .sameOrigin))
        try require(response.status == 302, "The status is \(response.status).")
        let targets = home.requests.map(\.target)
        try require(targets == ["/", "/to"], "The requests are \(targets).")
        try require(response.redirectedOrigin == nil, "The response names another origin.")
      },

      Check("scope-none", "With the scope noOrigin, a redirect is the response.") { subject in
        for status in [301, 302, 303, 307, 308] {
          let server = try subject.server { request in
            request.target == "/" ? [.response(status, ["Location": "/to"])] : [.response(200)]
          }
          let response = try await subject.send(HTTPRequest(.get, server.url(), redirectScope: .noOrigin))
          try require(response.status == status, "\(status): The status is \(response.status).")
          try require(server.requests.count == 1, "\(status): \(server.requests.count) requests arrived.")
        }
      },

      Check("body-to-another-origin", "A body is not sent to another origin.") { subject in
        let other = try subject.server(.response(200))
        for status in [307, 308] {
          let server = try subject.server(.response(status, ["Location": "http://127.0.0.1:\(other.port)/"]))
          try await subject.expect(.redirectRefused) {
            try await subject.send(HTTPRequest(.post, server.url(), body: "body".bytes))
          }
        }
        try require(other.counts.connections == 0, "A connection was made.")
      },

      Check("loop", "A loop of redirects ends at the limit.") { subject in
        let server = try subject.server(.response(302, ["Location": "/"]))
        let transport = try subject.transport { $0.redirects = 3 }
        try await subject.expect(.redirectRefused) { try await transport.send(HTTPRequest(.get, server.url())) }
        try require(server.requests.count == 4, "\(server.requests.count) requests arrived.")
      },

      Check("none-followed", "With a limit of 0 a redirect is a response like any other.") { subject in
        let response = try await notFollowed(subject)
        try require(response.status == 302, "The status is \(response.status).")
        try require(response.fields["Location"] == "com.example.app:/callback?code=a", "Location is wrong.")
      },

      Check("none-followed-body", "With a limit of 0 a redirect has a body like any other response.") { subject in
        try require(String(try await notFollowed(subject).body) == "why", "The body is wrong.")
      },

      Check("without-location", "A redirect status without Location is a response like any other.") { subject in
        for status in [300, 301, 302, 303, 304, 305, 307, 308] {
          let response = try await subject.get(.response(status))
          try require(response.status == status, "\(status): The status is \(response.status).")
        }
      },

      Check("other-status", "Location is followed with redirect statuses only.") { subject in
        for status in [200, 201, 300, 304, 305, 400, 503] {
          let server = try subject.server(.response(status, ["Location": "/to"]))
          let response = try await subject.send(HTTPRequest(.get, server.url()))
          try require(response.status == status && server.requests.count == 1, "\(status): Location was followed.")
        }
      },

      Check("relative-locations", "A relative Location is resolved as in RFC 3986 § 5.4.") { subject in
        for (location, target) in [
          ("/g", "/g"), ("g", "/b/c/g"), ("./g", "/b/c/g"), ("../g", "/b/g"), ("../../../../g", "/g"),
          ("?y", "/b/c/d?y"),
          ("g?y/../x", "/b/c/g?y/../x"), ("g#fragment", "/b/c/g"), (".", "/b/c/"), ("..", "/b/"), ("/a%2Fb", "/a%2Fb"),
        ] {
          let server = try subject.server { request in
            request.number == 1 && request.connection == 1 ? [.response(302, ["Location": location])] : [.response(200)]
          }
          let response = try await subject.send(HTTPRequest(.get, server.url("/b/c/d?q")))
          try require(response.status == 200, "\(location): The status is \(response.status).")
          let last = server.requests.last?.target ?? "missing"
          try require(last == target, "\(location) is \(last), not \(target).")
        }
      },

      Check("deadline", "The time limit includes all redirects.") { subject in
        let server = try subject.server(.response(302, ["Location": "/"]))
        try await subject.within(.milliseconds(100)) { limit in
          let transport = try subject.transport {
            $0.timeout = limit
            $0.redirects = .max
          }
          try await subject.expect(.timedOut) { try await transport.send(HTTPRequest(.get, server.url())) }
        }
      },

      Check(
        "unreachable-second-hop",
        "If the target of a redirect is unreachable, the connection counts as lost, because the request was sent."
      ) { subject in
        let closed = try Socket.listening(backlog: nil)
        defer { closed.close() }
        for method in [HTTPMethod.get, .post] {
          let server = try subject.server(.response(303, ["Location": "http://127.0.0.1:\(closed.port)/"]))
          try await subject.expect(.connectionLost) { try await subject.send(HTTPRequest(method, server.url())) }
          try require(server.requests.count == 1, "\(method): \(server.requests.count) requests arrived.")
        }
      },

      Check("body-of-redirect", "The limits apply to the body of a redirect, which is not part of the response.") {
        subject in
        let server = try subject.server { request in
          request.target == "/"
            ? [.response(302, ["Location": "/to"], body: Array(repeating: 97, count: 1 << 18))]
            : [.response(200, body: "there")]
        }
        let response = try await subject.send(HTTPRequest(.get, server.url()))
        try require(String(response.body) == "there", "The body is wrong.")
      },
    ])

  private static func notFollowed(_ subject: Subject) async throws -> HTTPResponse {
    let server = try subject.server(.response(302, ["Location": "com.example.app:/callback?code=a"], body: "why"))
    let transport = try subject.transport { $0.redirects = 0 }
    return try await transport.send(HTTPRequest(.get, server.url()))
  }
}

extension HostileServer.Request {
  /// The port of the request's `Host` field.
  fileprivate var port: Substring { fields["Host"]?.split(separator: ":").last ?? "" }
}
