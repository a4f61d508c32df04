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
struct URLSessionTransportTests {
  private let transport = URLSessionTransport()

  @Test(
    arguments: [
      ("GET", nil), ("POST", "a=b"), ("POST", ""), ("POST", nil), ("PUT", "c"), ("PATCH", "d"), ("DELETE", nil),
      ("DELETE", "e"), ("OPTIONS", nil), ("PROPFIND", "f"),
    ] as [(HTTPMethod, String?)])
  func sendsARequestAndReturnsItsAnswer(method: HTTPMethod, body: String?) async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 201, fields: ["X-Answer": "yes"], body: Array("content".utf8))
    } _: { server in
      var request = HTTPRequest(method, try server.url("/a%20b/c?d=e%26f"), fields: ["X-Asked": "a b"])
      request.body = body.map { Array($0.utf8) }
      let answer = try await transport.send(request)
      #expect(answer.status == 201)
      #expect(answer.fields["x-answer"] == "yes")
      #expect(answer.body == Array("content".utf8))
      let received = try #require(log.requests.first)
      #expect(received.method == method)
      #expect(received.url == request.url)
      #expect(received.fields["X-Asked"] == "a b")
      #expect(received.body ?? [] == request.body ?? [])
    }
  }

  @Test(arguments: [200, 204, 206, 300, 304, 400, 403, 404, 407, 409, 429, 500, 503, 599])
  func anyStatusIsAnAnswer(status: Int) async throws {
    try await withServer { _ in
      HTTPResponse(status: status, body: Array("why".utf8))
    } _: { server in
      let answer = try await transport.send(HTTPRequest(.get, try server.url("/")))
      #expect(answer.status == status)
      #expect(answer.body == (status == 204 || status == 304 ? [] : Array("why".utf8)))
    }
  }

  @Test(arguments: [
    nil, "", "Basic", "Basic realm=\"a\"", "basic realm=a", "Basic realm=", "Basic realm=\"", "Basic realm",
    "Bearer error=\"invalid_token\"", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "NTLM", ",", "=", "\"", "a=\"b\\",
    "Basic realm=\"a\", Bearer realm=\"b\"", "Basic realm=\"a\", charset=\"UTF-8\"", "DPoP algs=\"ES256\"",
  ])
  func anUnauthorizedAnswerArrivesWhole(challenge: String?) async throws {
    try await withServer { _ in
      var answer = HTTPResponse(status: 401, body: Array("{\"error\":\"invalid_client\"}".utf8))
      answer.fields["WWW-Authenticate"] = challenge
      return answer
    } _: { server in
      for method in [HTTPMethod.get, .post] {
        let answer = try await transport.send(HTTPRequest(method, try server.url("/")))
        #expect(answer.status == 401)
        #expect(answer.body == Array("{\"error\":\"invalid_client\"}".utf8))
      }
    }
  }

  @Test func theAnswerToHEADHasTheLengthAndNoContent() async throws {
    try await withServer { _ in
      HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 100))
    } _: { server in
      let answer = try await transport.send(HTTPRequest(.head, try server.url("/")))
      #expect(answer.fields["Content-Length"] == "100")
      #expect(answer.body.isEmpty)
    }
  }

  @Test func keepsNoCookies() async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 200, fields: ["Set-Cookie": "a=b; Path=/"])
    } _: { server in
      for _ in 1...2 { _ = try await transport.send(HTTPRequest(.get, try server.url("/"))) }
      #expect(log.requests.map { $0.fields["Cookie"] } == [nil, nil])
    }
  }

  @Test func keepsNoCache() async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 200, fields: ["Cache-Control": "max-age=3600", "ETag": "\"a\""], body: [0x61])
    } _: { server in
      for _ in 1...2 { _ = try await transport.send(HTTPRequest(.get, try server.url("/"))) }
      #expect(log.requests.map { $0.fields["If-None-Match"] } == [nil, nil])
    }
  }

  @Test func compressedContentIsDecoded() async throws {
    let compressed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27,
      0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
    ]
    try await withServer { _ in
      HTTPResponse(status: 200, fields: ["Content-Encoding": "gzip"], body: compressed)
    } _: { server in
      let answer = try await transport.send(HTTPRequest(.get, try server.url("/")))
      #expect(answer.body == Array("hello hello hello hello".utf8))
    }
  }

  @Test func manyRequestsAtOnceEachGetTheirOwnAnswer() async throws {
    try await withServer { request in
      HTTPResponse(status: 200, body: Array(request.path.utf8))
    } _: { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...64 {
          group.addTask {
            let answer = try await transport.send(HTTPRequest(.get, try server.url("/\(number)")))
            #expect(answer.body == Array("/\(number)".utf8))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func theFramingIsThePlatformsAlone() async throws {
    let log = RequestLog()
    try await withServer { request in
      log.add(request)
      return HTTPResponse(status: 200)
    } _: { server in
      let fields: HTTPFields = ["Content-Length": "1", "Transfer-Encoding": "chunked"]
      _ = try await transport.send(HTTPRequest(.post, try server.url("/"), fields: fields, body: Array("abc".utf8)))
      #expect(log.requests.first?.body == Array("abc".utf8))
    }
  }

  @Test(
    arguments: [
      ("ftp://127.0.0.1/", "GET", "a", nil), ("http:///a", "GET", "a", nil), ("http://a:b@127.0.0.1/", "GET", "a", nil),
      ("http://127.0.0.1/", "G T", "a", nil), ("http://127.0.0.1/", "GET", "a\r\nB: c", nil),
      ("http://127.0.0.1/", "GET", "a", "content"),
    ] as [(String, HTTPMethod, String, String?)])
  func aRequestThatCannotBeSentIsRefused(
    url: String, method: HTTPMethod, value: String, body: String?
  ) async throws {
    let url = try #require(URL(string: url))
    await expect(.invalidRequest) {
      _ = try await transport.send(HTTPRequest(method, url, fields: ["A": value], body: body.map { Array($0.utf8) }))
    }
  }

  @Test func connectionsCloseWhenTheTransportGoes() async throws {
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .waitForClient)
    do {
      let transport = URLSessionTransport()
      #expect(try await transport.send(HTTPRequest(.get, try server.url())).status == 200)
    }
    await server.wait(for: "closed")
  }
}
