import HTTPTransport
import LoopbackHTTP
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(1)))
struct LoopbackServerTests {
  @Test func answersARequest() async throws {
    try await withServer { request in
      HTTPResponse(status: 200, fields: ["X-Method": request.method.rawValue], body: Array(request.url.path().utf8))
    } _: { server in
      let answer = try await exchange(
        "GET /a/b?c=d HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n\r\n", server)
      #expect(
        answer == "HTTP/1.1 200 OK\r\nX-Method: GET\r\nContent-Length: 4\r\nConnection: close\r\n\r\n/a/b")
    }
  }
}

/// Runs `body` with a server that is stopped afterwards, whatever happens.
func withServer(
  limits: LoopbackServer.Limits = .init(), _ handler: @escaping LoopbackServer.Handler,
  _ body: (LoopbackServer) async throws -> Void
) async throws {
  let server = try await LoopbackServer.start(limits: limits, handler: handler)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Sends `text` on a connection of its own and returns everything that comes back until the server closes it.
func exchange(_ text: String, _ server: LoopbackServer) async throws -> String {
  let client = try await RawClient.connect(to: server.port)
  await client.send(text)
  return try await client.readToEnd()
}

extension LoopbackServer {
  var authority: String { "127.0.0.1:\(port)" }
}
