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

  private func exchange() throws -> Exchange {
    let exchange = Exchange(
      HTTPRequest(.get, URL(literal: "https://a.example/path")), limits: .init(body: 10, buffer: 6)
    ) { [ends] in ends.add() }
    #expect(exchange.begin(transfer))
    return exchange
  }

  private func head(_ status: Int = 200, _ fields: [String: String] = [:]) throws -> ResponseHead {
    let url = URL(literal: "https://a.example/path")
    return ResponseHead(
      try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)))
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

  // MARK: Ends

  @Test func firstEndDecides() async throws {
    let exchange = try exchange()
    exchange.receive(try head())
    exchange.fail(TransportError(.tls, "first"))
    exchange.complete(nil)
    exchange.fail(CancellationError())
    exchange.expire()
    exchange.receive([1])
    let error = await #expect(throws: TransportError.self) { try await exchange.nextChunk() }
    #expect(error?.code == .tls)
    #expect(ends.count == 1)
    #expect(transfer.told == ["cancel"])
    #expect(!exchange.begin(transfer), "a transfer that begins too late is not to run")
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
