// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

/// The part of an exchange used by its task: the request, and the wait for the response.
///
/// The transport's thread has a ``Transfer`` for each exchange.
final class Exchange: Sendable {
  let request: HTTPRequest
  let target: RequestTarget
  let requestBody: RequestBody?
  let setup: EasyHandle.Setup
  let deadline: Deadline
  /// The channel for the pieces of a streamed response, or `nil` if the response is collected.
  let download: DownloadChannel?
  /// The channel for the pieces of a streamed request.
  let upload: UploadChannel?
  private let state: Mutex<State>

  /// The result for resuming the task.
  enum Outcome {
    /// The transfer ended: with a complete response, or an error.
    case ended(Result<ResponseReceiver, any Error>)
    /// The head of a streamed response has arrived.
    case head(Head)
  }

  /// The head of a streamed response.
  struct Head {
    let status: Int
    let fields: HTTPFields
    /// The size of the body, or `nil` if unknown.
    let length: Int?
  }

  private struct State {
    var wait = Wait.idle
    /// The receiver, until the transfer begins.
    ///
    /// The task creates the receiver and gets it back. The transport's thread therefore neither allocates nor frees its memory.
    var receiver: ResponseReceiver?
  }

  /// `@safe` because the continuation is resumed once: the resuming code has taken it from the state and set `finished`
  /// under the same lock.
  @safe
  private enum Wait {
    case idle
    case waiting(UnsafeContinuation<Outcome, any Error>)
    case finished
  }

  init(
    _ request: HTTPRequest, to target: RequestTarget, setup: EasyHandle.Setup, deadline: Deadline,
    limits: TransportLimits, download: DownloadChannel? = nil, upload: UploadChannel? = nil
  ) {
    self.request = request
    self.target = target
    requestBody = RequestBody(request)
    self.setup = setup
    self.deadline = deadline
    self.download = download
    self.upload = upload
    state = Mutex(State(receiver: ResponseReceiver(request, limits: limits, codings: setup.codings)))
  }
}

// MARK: The waiting task

extension Exchange {
  /// Stores the continuation to resume when the transfer ends, or when the head of a streamed response has arrived.
  ///
  /// - Returns: Whether to submit the exchange, or `false` if it was cancelled before.
  func begin(_ continuation: UnsafeContinuation<Outcome, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      guard case .idle = state.wait else { return true }
      state.wait = unsafe .waiting(continuation)
      return false
    }
    if isCancelled { unsafe continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  /// Ends the wait with `CancellationError`.
  ///
  /// - Returns: Whether the transfer may be running, so the transport's thread has to end it.
  func cancel() -> Bool {
    let old = finishWait()
    if case .waiting(let continuation) = old { unsafe continuation.resume(throwing: CancellationError()) }
    if case .idle = old { return false }
    return true
  }

  private func finishWait() -> Wait {
    state.withLock { state in
      defer { state.wait = .finished }
      return state.wait
    }
  }
}

// MARK: The transport's thread

extension Exchange {
  /// Returns the receiver for the transfer, or `nil` if the task no longer waits.
  func takeReceiver() -> ResponseReceiver? {
    state.withLock { state in
      guard case .waiting = state.wait else { return nil }
      return state.receiver.take()
    }
  }

  /// Resumes the task, unless its wait has ended.
  func resume(_ outcome: Outcome) {
    if case .waiting(let continuation) = finishWait() { unsafe continuation.resume(returning: outcome) }
  }

  /// Ends the exchange and its channels.
  func finish(_ result: Result<ResponseReceiver, any Error>) {
    if let download {
      upload?.cancel()
      if case .failure(let error) = result { download.finish(throwing: error) } else { download.finish(throwing: nil) }
    }
    resume(.ended(result))
  }

  /// Ends an exchange without a transfer.
  func stop() { finish(.failure(upload?.failure ?? CancellationError())) }
}

/// The instant by which an exchange must be complete.
struct Deadline: Sendable {
  let instant: ContinuousClock.Instant

  /// Creates a deadline after `limit`, but at most after 2³² − 1 seconds.
  init(after limit: Duration) {
    instant = .now + min(max(limit, .zero), .seconds(Int64(UInt32.max)))
  }
}
