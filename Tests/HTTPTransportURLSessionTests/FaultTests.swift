import HTTPTransport
import HTTPTransportURLSession
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Fault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: TransportError.Code
  let script: [FaultServer.Step]

  init(_ description: String, _ code: TransportError.Code, _ script: FaultServer.Step...) {
    testDescription = description
    self.code = code
    self.script = script
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"

  static let all = [
    Fault("closed without an answer", .connectionLost),
    Fault("reset without an answer", .connectionLost, .reset),
    Fault("fewer bytes than announced", .truncated, .send(ok + "Content-Length: 10\r\n\r\nabc")),
    Fault("none of the bytes announced", .truncated, .send(ok + "Content-Length: 10\r\n\r\n")),
    Fault("reset in the content", .truncated, .send(ok + "Content-Length: 10\r\n\r\nabc"), .reset),
    Fault("ends within a chunk", .truncated, .send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab")),
    Fault("no last chunk", .truncated, .send(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")),
    Fault(
      "compressed, fewer bytes than announced", .truncated,
      .send(ok + "Content-Encoding: gzip\r\nContent-Length: 53\r\n\r\n"),
      .sendBytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF])
    ),
    Fault("malformed chunk", .protocolViolation, .send(ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nab\r\n")),
    Fault(
      "broken compression", .protocolViolation,
      .send(ok + "Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\n0123456789")),
    Fault("another protocol", .protocolViolation, .send("SSH-2.0-server\r\n\r\n")),
    Fault("malformed status", .protocolViolation, .send("HTTP/1.1 abc OK\r\n\r\n")),
    Fault("malformed length", .protocolViolation, .send(ok + "Content-Length: abc\r\n\r\n")),
    Fault("larger than the limit, announced", .tooLarge, .send(ok + "Content-Length: 1001\r\n\r\n"), .waitForClient),
    Fault("larger than the limit, without an end", .tooLarge, .send(ok + "\r\n"), .flood("0123456789")),
  ]
}

@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
  private let transport = URLSessionTransport(limits: .init(bodyBytes: 1000))

  @Test(arguments: Fault.all) func faultsAreToldApart(fault: Fault) async throws {
    let server = FaultServer(script: fault.script)
    await expect(fault.code) { _ = try await transport.send(HTTPRequest(.get, try server.url())) }
    await server.wait(for: "closed")
  }

  @Test func aPortNobodyListensOnIsUnreachable() async throws {
    // A port of the machine's own that is bound and does not listen cannot be taken by anybody else meanwhile.
    let port = try #require(FaultServer.boundPort)
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    await expect(.unreachable) { _ = try await transport.send(HTTPRequest(.get, url)) }
  }

  @Test func anUnknownHostIsUnreachable() async throws {
    let url = try #require(URL(string: "http://host.invalid/"))
    await expect(.unreachable) { _ = try await transport.send(HTTPRequest(.get, url)) }
  }

  @Test func aServerThatSpeaksNoTLSIsATLSFault() async throws {
    let server = FaultServer(readsHead: false, .send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    await expect(.tls) { _ = try await transport.send(HTTPRequest(.get, url)) }
  }

  @Test func aServerThatHangsIsLeftAtTheDeadline() async throws {
    let server = FaultServer(.waitForClient)
    let transport = URLSessionTransport(clock: ImpatientClock())
    await expect(.timedOut) { _ = try await transport.send(HTTPRequest(.get, try server.url())) }
  }

  @Test func bytesThatTrickleInDoNotExtendTheDeadline() async throws {
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\n\r\n"), .trickle)
    await expect(.timedOut) {
      _ = try await transport.send(HTTPRequest(.get, try server.url(), timeout: .milliseconds(100)))
    }
    await server.wait(for: "closed")
  }

  @Test func theTransportsOwnLimitHoldsWithoutOneInTheRequest() async throws {
    let server = FaultServer(.waitForClient)
    let transport = URLSessionTransport(limits: .init(timeout: .milliseconds(20)))
    await expect(.timedOut) { _ = try await transport.send(HTTPRequest(.get, try server.url())) }
  }

  @Test func anAnswerOfExactlyTheLimitIsTaken() async throws {
    let content = String(repeating: "a", count: 1000)
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + content))
    #expect(try await transport.send(HTTPRequest(.get, try server.url())).body.count == 1000)
  }

  @Test func anInformationalAnswerIsNotTheAnswer() async throws {
    let server = FaultServer(
      .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    let answer = try await transport.send(HTTPRequest(.get, try server.url()))
    #expect(answer.status == 200)
    #expect(answer.body == Array("ok".utf8))
  }

  @Test func anAnswerThatEndsWithTheConnectionIsWhole() async throws {
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\n\r\nok"))
    #expect(try await transport.send(HTTPRequest(.get, try server.url())).body == Array("ok".utf8))
  }

  @Test func cancellationIsPromptAndEndsTheTransfer() async throws {
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\n\r\na"), .waitForClient)
    let request = HTTPRequest(.get, try server.url())
    let sending = Task { [transport] in try await transport.send(request) }
    await server.wait(for: "request")
    sending.cancel()
    await #expect(throws: CancellationError.self) { _ = try await sending.value }
    await server.wait(for: "closed")
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let server = FaultServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let request = HTTPRequest(.get, try server.url())
    await withTaskGroup(of: Void.self) { [transport] group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) { _ = try await transport.send(request) }
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test func errorsDoNotShowQueriesFieldsOrContent() async throws {
    let server = FaultServer()
    let request = HTTPRequest(
      .post, try server.url("/?code=s3cret"), fields: ["Authorization": "s3cret"], body: Array("s3cret".utf8))
    let error = try #require(await expect(.connectionLost) { _ = try await transport.send(request) })
    #expect(error.description.contains("127.0.0.1"))
    for text in ["\(error)", String(reflecting: error), error.message] { #expect(!text.contains("s3cret")) }
  }
}
