// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  /// One check per location, because each can crash a transport that does not expect it.
  static let locationChecks = Group.redirects.checks(
    locations.map { name, location in
      Check("location-\(name)", "A redirect to an unusable Location is refused, or is the response: \(name).") {
        subject in
        let server = try subject.server { request in
          // All other paths return 404.
          request.number == 1 && request.connection == 1
            ? [.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")] : [.response(404)]
        }
        let transport = try subject.transport()
        // An unusual name may be looked up without success, after the first server has responded.
        let response = try await subject.value(
          or: .redirectRefused, .connectionLost, .protocolViolation, .invalidRequest
        ) { try await transport.send(HTTPRequest(.get, server.url())) }
        if let response { try require([302, 404].contains(response.status), "The status is \(response.status).") }
      }
    })

  private static let locations: [(String, String)] = [
    ("empty-authority-ipv6", "//[::1]/x"),
    ("percent-in-authority", "//a%2Fb/"),
    ("open-bracket", "http://["),
    ("closed-bracket", "http://]/"),
    ("empty-brackets", "http://[]/"),
    ("user", "http://user@127.0.0.1:1/"),
    ("user-and-password", "http://a:b@127.0.0.1:1/"),
    ("ftp", "ftp://127.0.0.1:1/"),
    ("javascript", "javascript:alert(1)"),
    ("file", "file:///etc/passwd"),
    ("data", "data:text/plain,a"),
    ("mailto", "mailto:a@example.com"),
    ("percent-crlf", "/a%0d%0aX-Injected:%20b"),
    ("percent-nul", "/a%00b"),
    ("percent-crlf-in-host", "http://a%0d%0ab/"),
    ("percent-nul-in-host", "http://127.0.0.1%00.example/"),
    ("empty", ""),
    ("blank", "  "),
    ("only-slashes", "///"),
    ("no-host", "http:///a"),
    ("scheme-only", "http:"),
    ("port-too-large", "http://127.0.0.1:65536/"),
    ("port-negative", "http://127.0.0.1:-1/"),
    ("port-is-a-word", "http://127.0.0.1:port/"),
    ("port-0", "http://127.0.0.1:0/"),
    ("broken-percent", "/%zz%"),
    ("space", "/a b"),
    ("quotes", "\"/a\""),
    ("not-ascii", "/\u{FC}\u{1F600}"),
    ("backslashes", "\\\\127.0.0.1\\a"),
    ("long", "/" + String(repeating: "a", count: 100_000)),
    ("long-host", "http://" + String(repeating: "a", count: 5_000) + "/"),
  ]
}
