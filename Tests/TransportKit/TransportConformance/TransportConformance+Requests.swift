// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation

extension TransportConformance {
  static let requestChecks = Group.requests.checks(
    methods.map { method in
      Check("method-\(method.rawValue.lowercased())", "A \(method) request arrives with its method, target and fields.")
      { subject in
        let server = try subject.server(.response(200, ["X-Received": "yes"]))
        let request = HTTPRequest(method, server.url("/a%20b/c?d=e%26f&g="), fields: ["X-Sent": "a b", "X-Empty": ""])
        let response = try await subject.send(request)
        try require(response.fields["x-received"] == "yes", "A field of the response is missing.")
        try await received(server, request) { received in
          try require(received.target == "/a%20b/c?d=e%26f&g=", "The target is \(received.target).")
          try require(received.fields["X-Sent"] == "a b", "A field is missing.")
          try require(received.body.isEmpty, "It has a body.")
        }
      }
    } + [
      Check("bodies", "A request body of any size arrives whole.") { subject in
        for method in [HTTPMethod.post, .put, .patch, .delete] {
          for size in [0, 1, 1 << 20] {
            let body = bytes(size)
            try await sent(subject, method, fields: ["Content-Type": "application/octet-stream"], body: body) {
              received in
              try require(received.body == body, "\(method): \(received.body.count) bytes of \(size) arrived.")
              try require(
                size > 0 || received.fields["Content-Length"] == "0" || method == .delete,
                "\(method): An empty body was sent without Content-Length.")
            }
          }
        }
      },

      Check("body-of-get", "A GET request can carry a body.") { subject in
        try await sent(subject, body: "body".bytes) {
          try require($0.body == "body".bytes, "The body did not arrive.")
        }
      },

      Check("post-without-body", "A POST request without a body is sent with the length 0.") { subject in
        try await sent(subject, .post) {
          try require($0.fields["Content-Length"] == "0", "The length is \($0.fields["Content-Length"] ?? "missing").")
          try require($0.fields["Content-Type"] == nil, "It has a Content-Type.")
        }
      },

      Check("repeated-fields", "Repeated fields arrive with all their values in order.") { subject in
        try await sent(subject, fields: ["X-A": "1", "X-B": "2", "X-A": "3"]) {
          let values = $0.fields.values(for: "X-A").joined(separator: ",").replacing(" ", with: "")
          try require(values == "1,3", "The values are \(values).")
        }
      },

      Check("framing-fields", "The caller's Content-Length, Transfer-Encoding and Connection fields are ignored.") {
        subject in
        for fields: HTTPFields in [
          ["Content-Length": "1"], ["Content-Length": "99999"], ["Transfer-Encoding": "chunked"],
          ["Connection": "close"],
          ["content-length": "1", "TRANSFER-ENCODING": "gzip, chunked", "connection": "upgrade, x-a"],
        ] {
          try await sent(subject, .post, fields: fields, body: "abc".bytes) {
            try require($0.body == "abc".bytes, "\(fields): The body is wrong.")
            try require($0.fields.values(for: "Content-Length") == ["3"], "\(fields): The length was changed.")
            try require($0.fields["Transfer-Encoding"] == nil, "Transfer-Encoding was sent.")
            let connection = $0.fields["Connection"]?.lowercased() ?? "keep-alive"
            try require(connection == "keep-alive", "Connection: \(connection) was sent.")
          }
        }
      },

      Check("caller-fields", "The caller's Accept-Encoding, User-Agent and Accept replace the transport's own.") {
        subject in
        let fields: HTTPFields = ["Accept-Encoding": "identity", "User-Agent": "agent/1", "Accept": "text/plain"]
        try await sent(subject, fields: fields) { received in
          for field in fields {
            try require(received.fields.values(for: field.name) == [field.value], "\(field.name) is wrong.")
          }
        }
      },

      Check("malformed", "A malformed request is refused before anything is sent.") { subject in
        let server = try subject.server(.response(204))
        let port = server.port
        let requests: [(String, HTTPMethod, String, String)] = [
          ("ftp://127.0.0.1:\(port)/", "GET", "a", "b"), ("http://a:b@127.0.0.1:\(port)/", "GET", "a", "b"),
          ("http://127.0.0.1:\(port)/", "GET / HTTP/1.1\r\n\r\nGET", "a", "b"),
          ("http://127.0.0.1:\(port)/", "GET", "a", "b\r\nc: d"), ("http://127.0.0.1:\(port)/", "GET", "a", "b\0"),
        ]
        for (text, method, name, value) in requests {
          guard let url = URL(string: text) else { continue }
          try await subject.expect(.invalidRequest, nil, "\(method) \(text) with \(name): \(value)") {
            try await subject.send(HTTPRequest(method, url, fields: [name: value]))
          }
        }
        try require(server.counts.connections == 0, "A connection was made.")
      },

      Check("no-cookies", "No cookie is stored, and only the caller's cookies are sent.") { subject in
        let server = try subject.server(.response(200, ["Set-Cookie": "a=b; Path=/"]))
        let transport = try subject.transport()
        for _ in 1...2 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
        _ = try await transport.send(HTTPRequest(.get, server.url(), fields: ["Cookie": "c=d"]))
        let cookies = server.requests.map { $0.fields["Cookie"] }
        try require(cookies == [nil, nil, "c=d"], "The server was sent \(cookies).")
      },

      Check("no-cache", "No response is cached: every request reaches the server, without conditions.") { subject in
        let server = try subject.server(
          .response(
            200, ["Cache-Control": "max-age=3600", "ETag": "\"a\"", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"], body: "a")
        )
        let transport = try subject.transport()
        for _ in 1...2 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
        try require(server.requests.count == 2, "The second request did not arrive.")
        try require(server.requests.allSatisfy { $0.fields["If-None-Match"] == nil }, "A condition was sent.")
      },

      Check("fragment", "The fragment of a URL is not sent.") { subject in
        try await sent(subject, to: "/a?b#secret") { try require($0.target == "/a?b", "The target is \($0.target).") }
      },

      Check("dot-segments", "A path arrives as it is in the URL.") { subject in
        for path in ["/a/%2e%2e/b", "//a", "/a//b/", "/%C3%A9;p=1,2", "/a%2Fb"] {
          try await sent(subject, to: path) { try require($0.target == path, "\(path) is \($0.target).") }
        }
      },

      Check("errors-hide-secrets", "No error shows a query, a field value or a body.") { subject in
        let server = try subject.server(.close)
        let request = HTTPRequest(
          .post, server.url("/?code=visible-secret"), fields: ["Authorization": "visible-secret"],
          body: "visible-secret".bytes)
        let error = try await subject.expect(.connectionLost) { try await subject.send(request) }
        var text = "\(error) \(String(reflecting: error)) \(error.message) "
        dump(error, to: &text)
        try require(!text.contains("visible-secret"), "The error shows it.")
        try require(error.message.contains("127.0.0.1"), "The message does not name the server.")
      },
    ])

  private static let methods: [HTTPMethod] = [
    .get, .head, .post, .put, .patch, .delete, "OPTIONS", "PROPFIND", "QUERY", "X-Custom",
  ]

  /// Sends a request to a server that responds with 204, and checks what it received.
  private static func sent(
    _ subject: Subject, _ method: HTTPMethod = .get, to target: String = "/", fields: HTTPFields = [:],
    body: [UInt8]? = nil, _ judge: (HostileServer.Request) throws -> Void
  ) async throws {
    let server = try subject.server(.response(204))
    let request = HTTPRequest(method, server.url(target), fields: fields, body: body)
    _ = try await subject.send(request)
    try await received(server, request, judge)
  }

  /// Checks the only received request, which must match `request`.
  static func received(
    _ server: HostileServer, _ request: HTTPRequest, _ judge: (HostileServer.Request) throws -> Void
  ) async throws {
    let requests = server.requests
    try require(requests.count == 1, "\(requests.count) requests arrived.")
    for received in requests {
      try require(received.method == request.method.rawValue, "The method is \(received.method).")
      try require(received.isComplete, "The body is not complete.")
      try judge(received)
    }
  }
}
