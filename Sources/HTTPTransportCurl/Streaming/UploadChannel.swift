// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Synchronization

/// The channel that passes the pieces of a request body from their sequence to the transport's thread.
final class UploadChannel: Sendable {
  private struct State {
    var chunk: [UInt8] = []
    /// The number of bytes of `chunk` read by libcurl.
    var read = 0
    var total = 0
    var isComplete = false
    /// Whether libcurl waits for more bytes.
    var isStarved = false
    var isCancelled = false
    var failure: (any Error)?
    var writer: CheckedContinuation<Void, any Error>?
    var pump: Task<Void, Never>?
  }

  let length: Int?
  private let state = Mutex(State())

  init(length: Int?) { self.length = length }

  /// The error that ended the body early, or `nil` if there is none.
  var failure: (any Error)? { state.withLock { $0.failure } }

  // MARK: The sequence's task

  /// Starts to read `body`, one piece at a time.
  ///
  /// - Parameter goOn: A closure called when a transfer that waits for more bytes can continue.
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
    .invalidRequest, "The streamed body's length differs from its stated length.")

  // MARK: The transport's thread

  /// Fills libcurl's buffer with the available bytes.
  ///
  /// - Returns: The number of bytes written, or libcurl's code for an end, a pause or a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, any Error>?) in
      if state.failure != nil { return (Int(CURL_READFUNC_ABORT), nil) }
      let count = min(buffer.count, state.chunk.count - state.read)
      guard count > 0 else {
        if state.isComplete { return (0, nil) }
        state.isStarved = true
        return (Int(CURL_READFUNC_PAUSE), nil)
      }
      // Safe: the count does not exceed the size of the buffer or of the rest of the chunk.
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

  /// Returns whether libcurl waits for more bytes.
  ///
  /// The caller then resumes it.
  func takeStarvation() -> Bool {
    state.withLock { state in
      defer { state.isStarved = false }
      return state.isStarved
    }
  }

  /// Stops reading the sequence, because the transfer has ended.
  func cancel() {
    let (writer, pump) = state.withLock { state in
      state.isCancelled = true
      return (state.writer.take(), state.pump.take())
    }
    writer?.resume(throwing: CancellationError())
    pump?.cancel()
  }
}
