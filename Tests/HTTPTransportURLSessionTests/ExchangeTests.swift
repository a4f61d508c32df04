// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportURLSession
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One exchange, between a session that a test plays and a task that waits.
@Suite(.takesTurns) struct ExchangeTests {
  /// A transfer that notes what it is told.
  private final class Transfer: HTTPTransportURLSession.Transfer {
    private let state = Mutex<[String]>([])
    var told: [String] { state.withLock { $0 } }
    func setPaused(_ isPaused: Bool) { state.withLock { $0.append(isPaused ? "pause" : "go on") } }
    func end(isComplete: Bool) { state.withLock { $0.append(isComplete ? "complete" : "cancel") } }
  }

  private let transfer = Transfer()
  private let ends = Ends()

  private final class Ends: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
  }

  private func exchange(_ method: HTTPMethod = .get, body: Int = 10, buffer: Int = 6) throws -> Exchange {
    let exchange = Exchange(
      HTTPRequest(method, try #require(URL(string: "https://a.example/path"))),
      limits: .init(body: body, buffer: buffer)
    ) { [ends] in ends.add() }
    #expect(exchange.begin(transfer))
    return exchange
  }

  private func head(_ status: Int = 200, _ fields: [String: String] = [:]) throws -> ResponseHead {
    let url = try #require(URL(string: "https://a.example/path"))
    return ResponseHead(
      try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)))
  }

  private func code(_ body: () async throws -> Void) async throws -> TransportError.Code {
    try await #require(throws: TransportError.self) { try await body() }.code
  }

  // MARK: The course of a response

  @Test func bodyIsTakenInTheChunksThatCame() async throws {
    let exchange = try exchange()
    exchange.receive(try head(201, ["X-A": "b"]))
    let head = try await exchange.head()
    #expect(head.status == 201 && head.fields["X-A"] == "b")
    exchange.receive([1, 2])
    exchange.receive([])
    exchange.receive([3])
    #expect(transfer.told == ["pause", "pause"])
    #expect(try await exchange.nextChunk() == [1, 2, 3])
    #expect(transfer.told == ["pause", "pause", "go on"])
    exchange.receive([4])
    exchange.complete(nil)
    #expect(exchange.isOver && ends.count == 1)
    #expect(try await exchange.nextChunk() == [4], "what has come is not lost at the end")
    #expect(try await exchange.nextChunk() == nil)
    #expect(try await exchange.nextChunk() == nil)
    #expect(transfer.told == ["pause", "pause", "go on", "pause", "complete"])
  }

  @Test func taskThatWaitsGetsWhatComes() async throws {
    let exchange = try exchange()
    let head = Task { try await exchange.head() }
    for _ in 0..<10 { await Task.yield() }
    exchange.receive(try self.head())
    #expect(try await head.value.status == 200)
    let chunk = Task { try await exchange.nextChunk() }
    for _ in 0..<10 { await Task.yield() }
    exchange.receive([1])
    #expect(try await chunk.value == [1])
    // Nothing is held for a task that waits already.
    #expect(transfer.told == [] || transfer.told == ["pause", "go on"])
    let end = Task { try await exchange.nextChunk() }
    for _ in 0..<10 { await Task.yield() }
    exchange.complete(nil)
    #expect(try await end.value == nil)
  }

  // MARK: Limits

  @Test func bodyThatIsNotReadIsRefusedBeyondTheBuffer() async throws {
    let exchange = try exchange(body: 100, buffer: 4)
    exchange.receive(try head())
    exchange.receive([1, 2, 3])
    exchange.receive([4])
    #expect(!exchange.isOver)
    exchange.receive([5])
    #expect(try await exchange.nextChunk() == [1, 2, 3, 4], "what was held before is still there")
    let error = try await #require(throws: TransportError.self) { try await exchange.nextChunk() }
    #expect(error.code == .tooLarge && error.reason == .expansion)
  }

  // MARK: Ends

  @Test func firstEndDecides() async throws {
    let exchange = try exchange()
    exchange.receive(try head())
    exchange.fail(TransportError(.tls, "first"))
    exchange.complete(nil)
    exchange.fail(CancellationError())
    exchange.expire()
    exchange.receive([1])
    #expect(try await code { _ = try await exchange.nextChunk() } == .tls)
    #expect(ends.count == 1)
    #expect(transfer.told == ["cancel"])
    #expect(!exchange.begin(transfer), "a transfer that begins too late is not to run")
  }

  @Test func failureDropsWhatCameAndAnEndDoesNot() async throws {
    let failed = try exchange()
    failed.receive(try head())
    failed.receive([1])
    failed.fail(TransportError(.tls, ""))
    #expect(try await code { _ = try await failed.nextChunk() } == .tls)

    let broken = try exchange()
    broken.receive(try head())
    broken.receive([1])
    broken.complete(URLError(.networkConnectionLost))
    #expect(try await broken.nextChunk() == [1])
    #expect(try await code { _ = try await broken.nextChunk() } == .truncated)
  }

  @Test func headThatNeverComesIsAnError() async throws {
    let exchange = try exchange()
    exchange.complete(nil)
    let error = try await #require(throws: TransportError.self) { try await exchange.head() }
    #expect(error.code == .protocolViolation && error.reason == .malformedHead)
  }

  // MARK: The head

  @Test(arguments: [
    ("a\r\nb", "a  b"), ("a\0b", "a b"), ("a\nb\r", "a b "), ("a\tb", "a\tb"), ("\u{E9}", "\u{E9}"), ("", ""),
  ])
  func valueEndsNoLine(_ value: String, _ kept: String) throws {
    #expect(try head(200, ["X-A": value]).fields["X-A"] == kept)
  }
}
