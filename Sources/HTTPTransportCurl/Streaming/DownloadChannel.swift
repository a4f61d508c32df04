// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The channel that passes the pieces of a response body from the transport's thread to the reading task.
package final class DownloadChannel: Sendable {
  /// The number of unread bytes above which the transfer is paused.
  package static let highWater = 256 * 1024
  /// The number of unread bytes below which the transfer resumes.
  package static let lowWater = 64 * 1024
  /// The maximum number of bytes that a transfer delivers before it can be paused: one decoded piece from the network.
  package static let ceiling = 4 * 1024 * 1024
  /// The number of bytes after which a reader that never waits yields to other tasks.
  package static let unbrokenLimit = 1024 * 1024

  private struct State {
    var chunks: [[UInt8]] = []
    /// The number of `chunks` taken by the reader.
    var taken = 0
    var bytes = 0
    /// The number of bytes taken by the reader since it last waited.
    var unbroken = 0
    var isPaused = false
    var end: Result<Void, any Error>?
    var reader: CheckedContinuation<[UInt8]?, any Error>?
  }

  private let state = Mutex(State())

  package init() {}

  // MARK: The transport's thread

  /// Receives a piece.
  ///
  /// - Returns: Whether there was capacity for it.
  package func receive(_ bytes: Span<UInt8>) -> Bool {
    var chunk: [UInt8] = []
    chunk.append(bytes)
    let (hasRoom, reader) = state.withLock { state in
      if let reader = state.reader.take() { return (true, Optional(reader)) }
      guard state.bytes + chunk.count <= Self.ceiling else { return (false, nil) }
      state.chunks.append(chunk)
      state.bytes += chunk.count
      return (true, nil)
    }
    reader?.resume(returning: chunk)
    return hasRoom
  }

  /// Whether the transfer must be paused until the reader catches up.
  package var isFull: Bool { state.withLock { $0.bytes > Self.highWater } }

  /// Whether the transfer is paused and its reader has not caught up yet.
  package var isPaused: Bool { state.withLock { $0.isPaused } }

  /// Marks the transfer as paused, unless the reader has caught up in the meantime.
  ///
  /// - Returns: Whether to pause the transfer.
  package func pause() -> Bool {
    state.withLock { state in
      state.isPaused = state.bytes > Self.highWater
      return state.isPaused
    }
  }

  /// Marks the end of the body.
  ///
  /// Only the first call sets its error.
  package func finish(throwing error: (any Error)?) {
    let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      return state.reader.take()
    }
    if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
  }

  // MARK: The reading task

  /// Whether the body has ended, with or without an error.
  package var isFinished: Bool { state.withLock { $0.end != nil } }

  /// Returns the next piece, or `nil` at the end.
  ///
  /// A body can arrive as fast as it is read. A reader that never waited would block its thread for other tasks, so it yields
  /// regularly.
  ///
  /// - Parameter goOn: A closure called when a paused transfer can resume.
  package func next(goOn: () -> Void) async throws -> [UInt8]? {
    let (ready, hasRoom, isUnbroken) = takeReady()
    if hasRoom { goOn() }
    if isUnbroken { await Task.yield() }
    if let ready { return try ready.get() }
    return try await withCheckedThrowingContinuation { continuation in
      let ready: Result<[UInt8]?, any Error>? = state.withLock { state in
        if let ready = Self.take(&state) { return ready }
        state.reader = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  private func takeReady() -> (Result<[UInt8]?, any Error>?, hasRoom: Bool, isUnbroken: Bool) {
    state.withLock { state in
      let ready = Self.take(&state)
      let hasRoom = state.isPaused && state.bytes < Self.lowWater
      if hasRoom { state.isPaused = false }
      let isUnbroken = state.unbroken > Self.unbrokenLimit
      if isUnbroken || ready == nil { state.unbroken = 0 }
      return (ready, hasRoom, isUnbroken)
    }
  }

  private static func take(_ state: inout State) -> Result<[UInt8]?, any Error>? {
    guard state.taken < state.chunks.count else { return state.end.map { end in end.map { nil } } }
    let chunk = state.chunks[state.taken]
    state.chunks[state.taken] = []
    state.taken += 1
    if state.taken == state.chunks.count {
      state.chunks.removeAll(keepingCapacity: true)
      state.taken = 0
    }
    state.bytes -= chunk.count
    state.unbroken += chunk.count
    return .success(chunk)
  }
}

/// The body of a streamed response.
///
/// Its deinitialization ends the exchange, unless it has ended before.
final class ReceivedBody: AsyncSequence, Sendable {
  typealias Element = [UInt8]

  private let channel: DownloadChannel
  private let goOn: @Sendable () -> Void
  private let end: @Sendable () -> Void

  /// Creates the body.
  ///
  /// - Parameters:
  ///   - channel: The channel for the pieces.
  ///   - goOn: A closure that resumes the paused exchange.
  ///   - end: A closure that ends the exchange.
  init(
    _ channel: DownloadChannel, goOn: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.channel = channel
    self.goOn = goOn
    self.end = end
  }

  deinit {
    if !channel.isFinished { end() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(body: self) }

  struct Iterator: AsyncIteratorProtocol {
    let body: ReceivedBody

    func next() async throws -> [UInt8]? { try await body.next() }
  }

  private func next() async throws -> [UInt8]? {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await channel.next(goOn: goOn)
    } onCancel: {
      channel.finish(throwing: CancellationError())
      end()
    }
  }
}
