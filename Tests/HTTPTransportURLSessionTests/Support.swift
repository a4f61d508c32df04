import HTTPTransport
import HTTPTransportURLSession
import LoopbackHTTP
import Synchronization
import Testing
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs `body` with a server that is stopped afterwards, whatever happens.
func withServer(
  _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer) async throws -> Void
) async throws {
  let server = try await LoopbackServer.start(handler: handler)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// A clock on which every wait is over at once.
struct ImpatientClock: WallClock {
  var now: Timestamp { .unixEpoch }

  func sleep(for duration: Duration) async throws {}
}

/// Keeps the requests that a server was sent.
final class RequestLog: Sendable {
  private let kept = Mutex<[HTTPRequest]>([])

  var requests: [HTTPRequest] { kept.withLock { $0 } }

  func add(_ request: HTTPRequest) { kept.withLock { $0.append(request) } }
}

extension LoopbackServer {
  func url(_ path: String) throws -> URL { try #require(URL(string: url.absoluteString + path)) }
}

extension FaultServer {
  func url(_ path: String = "/") throws -> URL { try #require(URL(string: "http://127.0.0.1:\(port)\(path)")) }
}

extension HTTPRequest {
  var path: String { url.path(percentEncoded: true) }

  var query: String? { url.query(percentEncoded: true) }
}

/// Expects `body` to throw a `TransportError` with `code`.
@discardableResult
func expect(
  _ code: TransportError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> TransportError? {
  let error = await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { try await body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  return error
}
