// SPDX-License-Identifier: Apache-2.0

/// The body of a streamed response.
///
/// Its exchange ends at the end of its life, if it has not ended before.
final class ReceivedBody: AsyncSequence, Sendable {
  typealias Element = [UInt8]

  private let exchange: Exchange
  private let channel: DownloadChannel
  /// Keeps the transport's thread running.
  private let connections: CurlConnections

  init(_ exchange: Exchange, _ channel: DownloadChannel, _ connections: CurlConnections) {
    self.exchange = exchange
    self.channel = channel
    self.connections = connections
  }

  deinit {
    if !channel.isFinished { connections.end(exchange) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: self) }

  struct Iterator: AsyncIteratorProtocol {
    let body: ReceivedBody

    func next() async throws -> [UInt8]? { try await body.next() }
  }

  private func next() async throws -> [UInt8]? {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await channel.next { connections.goOn(exchange) }
    } onCancel: {
      channel.finish(throwing: CancellationError())
      connections.end(exchange)
    }
  }
}
