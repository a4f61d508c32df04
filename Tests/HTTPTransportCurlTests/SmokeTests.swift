import HTTPTransport
import HTTPTransportCurl
import LoopbackHTTP
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(1))) struct SmokeTests {
  @Test func getsAndPosts() async throws {
    let server = try await LoopbackServer.start { request in
      HTTPResponse(
        status: 200, fields: ["X-Method": request.method.rawValue], body: request.body ?? Array(request.url.path().utf8)
      )
    }
    let http = CurlTransport()
    for _ in 1...3 {
      let r = try await http.send(HTTPRequest(.get, URL(string: server.url.absoluteString + "/a")!))
      #expect(r.status == 200)
      #expect(r.body == Array("/a".utf8))
      #expect(r.fields["X-Method"] == "GET")
      let p = try await http.send(
        HTTPRequest(.post, URL(string: server.url.absoluteString + "/a")!, body: Array("hello".utf8)))
      #expect(p.body == Array("hello".utf8))
      let s = try await http.stream(
        HTTPRequest(.put, URL(string: server.url.absoluteString + "/a")!), body: BodyStream(Array("hello".utf8)))
      #expect(try await s.body.bytes(upTo: 100) == Array("hello".utf8))
    }
    await server.stop()
  }
}
