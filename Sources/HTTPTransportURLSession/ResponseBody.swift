// SPDX-License-Identifier: Apache-2.0

/// The body of a response.
///
/// The exchange ends when the last copy of the body is released. Until then, the connections stay open.
struct ResponseBody: AsyncSequence, Sendable {
  private let owner: Owner

  init(of exchange: Exchange, deadline: Deadline, connections: SessionConnections) {
    owner = Owner(exchange: exchange, deadline: deadline, connections: connections)
  }

  func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    mutating func next() async throws -> [UInt8]? { try await owner.exchange.nextChunk() }
  }

  fileprivate final class Owner: Sendable {
    let exchange: Exchange
    private let deadline: Deadline
    private let connections: SessionConnections

    init(exchange: Exchange, deadline: Deadline, connections: SessionConnections) {
      self.exchange = exchange
      self.deadline = deadline
      self.connections = connections
    }

    deinit { exchange.fail(CancellationError()) }
  }
}
