import HTTPTransport
import HTTPTransportURLSession
import LoopbackHTTP
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
  private let transport = URLSessionTransport(limits: .init(redirects: 3))

  @Test(arguments: [301, 302, 303, 307, 308]) func isFollowedOnTheSameOrigin(status: Int) async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return request.path == "/to"
        ? HTTPResponse(status: 200, body: Array("there".utf8))
        : HTTPResponse(status: status, fields: ["Location": "/to?a=b"], body: Array("moved".utf8))
    } _: { server in
      let request = HTTPRequest(
        .post, try server.url("/from"), fields: ["Authorization": "Bearer token"], body: Array("content".utf8))
      let answer = try await transport.send(request)
      #expect(answer.body == Array("there".utf8))
      let followed = try #require(log.requests.last)
      #expect(log.requests.count == 2)
      #expect(followed.query == "a=b")
      #expect(followed.method == (status < 304 ? .get : .post))
      #expect(followed.body ?? [] == (status < 304 ? [] : request.body))
      #expect(followed.fields["Authorization"] == "Bearer token")
    }
  }

  @Test func credentialsDoNotReachAnotherOriginNorComeBack() async throws {
    let log = RequestLog()
    let home = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 302, fields: ["Location": "http://127.0.0.1:\(request.query ?? "")/back"])
    } _: { elsewhere in
      try await withServer { request in
        home.add(request)
        return request.path == "/back"
          ? HTTPResponse(status: 200)
          : HTTPResponse(
            status: 302, fields: ["Location": "\(elsewhere.url.absoluteString)/?\(request.url.port ?? 0)"])
      } _: { server in
        let request = HTTPRequest(
          .get, try server.url("/"),
          fields: ["Authorization": "a", "Cookie": "b", "Proxy-Authorization": "c", "X-Kept": "d"])
        #expect(try await transport.send(request).status == 200)
        #expect(home.requests.map { $0.fields["Authorization"] } == ["a", nil])
        for received in log.requests + home.requests.dropFirst() {
          #expect(received.fields["Authorization"] == nil)
          #expect(received.fields["Cookie"] == nil)
          #expect(received.fields["Proxy-Authorization"] == nil)
          #expect(received.fields["X-Kept"] == "d")
        }
        #expect(log.requests.count == 1)
      }
    }
  }

  @Test func aContentIsNotSentToAnotherOrigin() async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 200)
    } _: { elsewhere in
      try await withServer { _ in
        HTTPResponse(status: 307, fields: ["Location": elsewhere.url.absoluteString])
      } _: { server in
        let request = HTTPRequest(.post, try server.url("/"), body: Array("content".utf8))
        await expect(.redirectRefused) { _ = try await transport.send(request) }
        #expect(log.requests.isEmpty)
      }
    }
  }

  @Test func aLoopEnds() async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 302, fields: ["Location": "/"])
    } _: { server in
      await expect(.redirectRefused) { _ = try await transport.send(HTTPRequest(.get, try server.url("/"))) }
      #expect(log.requests.count == 4)
    }
  }

  @Test func theDeadlineCountsAllRedirects() async throws {
    try await withServer { _ in
      HTTPResponse(status: 302, fields: ["Location": "/"])
    } _: { server in
      let transport = URLSessionTransport(limits: .init(timeout: .milliseconds(50), redirects: .max))
      await expect(.timedOut) { _ = try await transport.send(HTTPRequest(.get, try server.url("/"))) }
    }
  }

  @Test(arguments: [nil, "ht!tp://[", ""]) func aRedirectToNowhereIsNotFollowed(location: String?) async throws {
    var redirect = HTTPResponse(status: 302)
    redirect.fields["Location"] = location
    let moved = redirect
    try await withServer { request in
      request.path == "/" ? moved : HTTPResponse(status: 200)
    } _: { server in
      do {
        let answer = try await transport.send(HTTPRequest(.get, try server.url("/")))
        #expect(answer.status == 302)
      } catch let error as TransportError {
        #expect(error.code == .redirectRefused)
      }
    }
  }

  @Test func withoutRedirectsTheRedirectIsTheAnswer() async throws {
    try await withServer { _ in
      HTTPResponse(status: 302, fields: ["Location": "com.example.app:/callback?code=a"])
    } _: { server in
      let transport = URLSessionTransport(limits: .init(redirects: 0))
      let answer = try await transport.send(HTTPRequest(.get, try server.url("/")))
      #expect(answer.status == 302)
      #expect(answer.fields["Location"] == "com.example.app:/callback?code=a")
    }
  }
}
