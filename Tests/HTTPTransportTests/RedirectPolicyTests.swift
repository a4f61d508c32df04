// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Testing

@Suite struct RedirectPolicyTests {
  private func request(_ method: HTTPMethod = .get, _ url: String, body: String? = nil) throws -> HTTPRequest {
    HTTPRequest(
      method, try #require(URL(string: url)),
      fields: [
        "Authorization": "a", "Cookie": "b", "Proxy-Authorization": "c", "DPoP": "d", "Content-Type": "text/plain",
        "Accept": "e",
      ],
      body: body.map { Array($0.utf8) })
  }

  private func next(_ status: Int, _ location: String, to request: HTTPRequest) throws -> HTTPRequest? {
    try RedirectPolicy(maximum: 3).next(after: status, ["Location": location], to: request, redirects: 0)
  }

  @Test(
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
      (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (307, "POST", "POST"), (308, "POST", "POST"),
      (308, "PATCH", "PATCH"),
    ] as [(Int, HTTPMethod, HTTPMethod)])
  func methodAndContentFollowTheStatus(status: Int, method: HTTPMethod, becomes: HTTPMethod) throws {
    let original = try request(method, "https://a.example/b", body: "content")
    let next = try #require(try self.next(status, "/c", to: original))
    #expect(next.method == becomes)
    #expect(next.body == (becomes == method && status != 303 || method == .head ? original.body : nil))
    #expect(next.fields["Content-Type"] == (next.body == nil ? nil : "text/plain"))
    #expect(next.isRepeatable == becomes.isIdempotent)
    #expect(next.fields["Authorization"] == "a")
  }

  @Test(
    "A redirect beyond the request's scope is the response",
    arguments: [
      ("/c", [.anyOrigin, .sameOrigin]), ("https://a.example:443/c", [.anyOrigin, .sameOrigin]),
      ("https://b.example/c", [.anyOrigin]), ("https://a.example:444/c", [.anyOrigin]),
    ] as [(String, Set<HTTPRequest.RedirectScope>)])
  func scopeIsThatOfTheRequest(location: String, scopes: Set<HTTPRequest.RedirectScope>) throws {
    for scope: HTTPRequest.RedirectScope in [.anyOrigin, .sameOrigin, .noOrigin] {
      var request = try request(.get, "https://a.example/b")
      request.redirectScope = scope
      let next = try next(302, location, to: request)
      #expect((next != nil) == scopes.contains(scope), "\(scope)")
      #expect(next.map { $0.redirectScope == scope } ?? true)
    }
  }

  @Test(arguments: [
    "https://b.example/", "https://a.example:8443/", "https://sub.a.example/", "//b.example",
    "https://a.example.b.example/",
  ])
  func credentialsDoNotCrossOrigins(location: String) throws {
    let next = try #require(try self.next(302, location, to: try request(.get, "https://a.example/")))
    for name in ["Authorization", "Cookie", "Proxy-Authorization", "DPoP"] { #expect(next.fields[name] == nil) }
    #expect(next.fields["Accept"] == "e")
    let back = try #require(try self.next(302, "https://a.example/", to: next))
    #expect(back.fields["Authorization"] == nil)
  }

  @Test(
    arguments: [
      ("https to http", "GET", 302, "http://a.example/"),
      ("https to http on loopback", "GET", 302, "http://127.0.0.1/"),
      ("content to another origin", "POST", 307, "https://b.example/"),
      ("content to another origin by an old status", "PUT", 302, "https://b.example/"),
      ("another scheme", "GET", 302, "com.example.app:/callback"), ("file", "GET", 302, "file:///etc/passwd"),
      ("user name", "GET", 302, "https://user@a.example/"), ("password", "GET", 302, "https://:p@a.example/"),
      ("no host", "GET", 302, "https:///a"),
    ] as [(String, HTTPMethod, Int, String)])
  func isRefused(what: String, method: HTTPMethod, status: Int, location: String) throws {
    let request = try request(method, "https://a.example/?s3cret", body: method == .get ? nil : "content")
    let error = #expect(throws: TransportError.self, "\(what)") {
      try next(status, location, to: request)
    }
    #expect(error?.code == .redirectRefused)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func statusesThatAreRedirects() throws {
    let request = HTTPRequest(.get, URL(literal: "https://a.example/b"))
    let followed = try (100...599).filter {
      try RedirectPolicy(maximum: 1).next(after: $0, ["Location": "/c"], to: request, redirects: 0) != nil
    }
    #expect(followed == [301, 302, 303, 307, 308])
    let plain = HTTPRequest(.get, URL(literal: "http://a.example/b"))
    #expect(try next(302, "https://a.example/", to: plain)?.url.scheme == "https")
    #expect(try RedirectPolicy(maximum: 1).next(after: 302, [:], to: request, redirects: 0) == nil)
    #expect(try RedirectPolicy(maximum: 0).next(after: 302, ["Location": "/c"], to: request, redirects: 0) == nil)
  }

  @Test func fieldsOfTheBodyAndOfTheOriginStayBehind() throws {
    let content = [
      "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
      "Content-Digest", "Repr-Digest",
    ]
    let bound = ["Authorization", "Proxy-Authorization", "Cookie", "DPoP", "Host"]
    let kept = ["Accept", "X-Content-Type"]
    let fields = HTTPFields((content + bound + kept).map { ($0, "a") })
    let policy = RedirectPolicy(maximum: 1)
    for (method, location, names) in [
      (HTTPMethod.get, "/c", content + bound + kept), (.post, "/c", bound + kept),
      (.get, "//b.example/", content + kept),
      (.post, "//b.example/", kept),
    ] {
      let request = HTTPRequest(method, URL(literal: "https://a.example/b"), fields: fields)
      let next = try #require(try policy.next(after: 303, ["Location": location], to: request, redirects: 0))
      #expect(next.fields.map(\.name) == names, "\(method) \(location)")
    }
  }
}
