// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Synchronization

/// The pieces of a request body between the sequence that they come from and the transport's thread.
final class UploadChannel: Sendable {
  private struct State {
    var chunk: [UInt8] = []
    /// How much of `chunk` has been read.
    var read = 0
    var total = 0
    var isComplete = false
    /// Whether libcurl waits for more.
    var isStarved = false
    var isCancelled = false
    var failure: (any Error)?
    var writer: CheckedContinuation<Void, any Error>?
    var pump: Task<Void, Never>?
  }

  let length: Int?
  private let state = Mutex(State())

  init(length: Int?) { self.length = length }

  /// What ended the body before its end; `nil` if nothing did.
  var failure: (any Error)? { state.withLock { $0.failure } }

  // MARK: The sequence's task

  /// Starts to read `body`, a piece at a time.
  ///
  /// - Parameter goOn: Called when a transfer that waits for more can go on.
  func start(_ body: BodyStream, goOn: @escaping @Sendable () -> Void) {
    let pump = Task {
      var failure: (any Error)?
      do {
        for try await chunk in body where !chunk.isEmpty { try await write(chunk, goOn) }
      } catch {
        failure = error
      }
      complete(failure)
      goOn()
    }
    let isCancelled = state.withLock { state in
      state.pump = pump
      return state.isCancelled
    }
    if isCancelled { pump.cancel() }
  }

  private func write(_ chunk: [UInt8], _ goOn: () -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let error: (any Error)? = state.withLock { state in
        guard !state.isCancelled else { return CancellationError() }
        guard chunk.count <= (length ?? .max) - state.total else { return Self.lengthError }
        state.chunk = chunk
        state.read = 0
        state.total += chunk.count
        state.writer = continuation
        return nil
      }
      if let error { continuation.resume(throwing: error) } else { goOn() }
    }
  }

  private func complete(_ failure: (any Error)?) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isComplete = true
      state.failure = failure ?? (length.map { $0 != state.total } ?? false ? Self.lengthError : nil)
    }
  }

  private static let lengthError = TransportError(
    .invalidRequest, "The streamed body has another number of bytes than its length says.")

  // MARK: The transport's thread

  /// Fills libcurl's buffer with what is there.
  ///
  /// - Returns: How many bytes were written, or what libcurl takes for an end, a pause or a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, any Error>?) in
      if state.failure != nil { return (Int(CURL_READFUNC_ABORT), nil) }
      let count = min(buffer.count, state.chunk.count - state.read)
      guard count > 0 else {
        if state.isComplete { return (0, nil) }
        state.isStarved = true
        return (Int(CURL_READFUNC_PAUSE), nil)
      }
      // Safe: the count is that of the smaller of the two.
      unsafe state.chunk.withUnsafeBytes { chunk in
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk[state.read..<(state.read + count)]))
      }
      state.read += count
      guard state.read == state.chunk.count else { return (count, nil) }
      state.chunk = []
      state.read = 0
      return (count, state.writer.take())
    }
    writer?.resume()
    return count
  }

  /// Whether libcurl waits for more; it is told to go on after this.
  func takeStarvation() -> Bool {
    state.withLock { state in
      defer { state.isStarved = false }
      return state.isStarved
    }
  }

  /// Stops reading the sequence: the transfer is over.
  func cancel() {
    let (writer, pump) = state.withLock { state in
      state.isCancelled = true
      return (state.writer.take(), state.pump.take())
    }
    writer?.resume(throwing: CancellationError())
    pump?.cancel()
  }
}
