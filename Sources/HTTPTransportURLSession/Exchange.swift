// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
import Synchronization

/// One request and its response, which a session reports and a task receives.
///
/// The first event that ends it decides: the end of the response, a fault, a limit, the deadline or cancellation.
package final class Exchange: Sendable {
  /// The size limits of an exchange.
  package struct Limits: Sendable {
    var body: Int
    /// The largest part of the body stored until the caller reads it.
    var buffer: Int

    package init(body: Int, buffer: Int) {
      self.body = body
      self.buffer = buffer
    }
  }

  private struct State {
    var head: ResponseHead?
    var headWaiter: CheckedContinuation<ResponseHead, any Error>?
    var bodyWaiter: CheckedContinuation<[UInt8]?, any Error>?
    var buffer: [UInt8] = []
    var receivedBytes = 0
    var outcome: Result<Void, any Error>?
    var transfer: (any Transfer)?
  }

  package let request: HTTPRequest
  private let limits: Limits
  private let onEnd: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter onEnd: A closure called once, when the outcome is known.
  package init(_ request: HTTPRequest, limits: Limits, onEnd: @escaping @Sendable () -> Void) {
    self.request = request
    self.limits = limits
    self.onEnd = onEnd
  }

  // MARK: The task's side

  /// Returns the head of the response.
  package func head() async throws -> ResponseHead {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<ResponseHead, any Error>? in
          if let head = state.head { return .success(head) }
          if case .failure(let error) = state.outcome { return .failure(error) }
          state.headWaiter = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      fail(CancellationError())
    }
  }

  /// Returns the bytes of the body since the last call, or `nil` at its end.
  package func nextChunk() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, paused) = state.withLock { state -> (Result<[UInt8]?, any Error>?, (any Transfer)?) in
          if !state.buffer.isEmpty {
            defer { state.buffer = [] }
            return (.success(state.buffer), state.outcome == nil ? state.transfer : nil)
          }
          if let outcome = state.outcome { return (outcome.map { nil }, nil) }
          state.bodyWaiter = continuation
          return (nil, nil)
        }
        paused?.setPaused(false)
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      fail(CancellationError())
    }
  }

  /// Ends the exchange immediately, without waiting for the session, and drops the stored part of the body.
  package func fail(_ error: any Error) { end(.failure(error), dropsBuffer: true, isTransferComplete: false) }

  /// Whether the outcome is known.
  package var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Ends the exchange because its deadline has passed.
  package func expire() {
    let hasHead = state.withLock { $0.head != nil }
    fail(TransportError.fault(.timedOut, hasHead ? .receiving : nil, at: request.origin))
  }

  // MARK: The session's side

  /// Takes control of the transfer, and returns whether the exchange still needs it.
  package func begin(_ transfer: any Transfer) -> Bool {
    state.withLock { state in
      state.transfer = transfer
      return state.outcome == nil
    }
  }

  package func receive(_ head: ResponseHead) {
    let waiter = state.withLock { state in
      defer { state.headWaiter = nil }
      guard state.outcome == nil, state.head == nil else { return nil as CheckedContinuation<ResponseHead, any Error>? }
      state.head = head
      return state.headWaiter
    }
    waiter?.resume(returning: head)
  }

  package func receive(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let server = request.origin
    let (waiter, fault, full) = state.withLock {
      state -> (CheckedContinuation<[UInt8]?, any Error>?, TransportError?, (any Transfer)?) in
      guard state.outcome == nil else { return (nil, nil, nil) }
      guard bytes.count <= limits.body - state.receivedBytes else {
        return (nil, .fault(.tooLarge, .body, at: server), nil)
      }
      state.receivedBytes += bytes.count
      if let waiter = state.bodyWaiter {
        state.bodyWaiter = nil
        return (waiter, nil, nil)
      }
      guard bytes.count <= limits.buffer - state.buffer.count else {
        return (nil, .notReadFastEnough(limits.buffer), nil)
      }
      state.buffer += bytes
      return (nil, nil, state.transfer)
    }
    full?.setPaused(true)
    waiter?.resume(returning: bytes)
    if let fault { end(.failure(fault), dropsBuffer: false, isTransferComplete: false) }
  }

  /// Ends the exchange with the outcome of the transfer.
  ///
  /// - Parameter isTransferComplete: Whether the session has ended the transfer too.
  package func complete(_ error: (any Error)?, isTransferComplete: Bool = true) {
    let (head, receivedBytes) = state.withLock { ($0.head, $0.receivedBytes) }
    let isShort = head?.announces(moreThan: receivedBytes, for: request.method) == true
    let server = request.origin
    let outcome: Result<Void, any Error> =
      if let error {
        .failure(TransportError(error, server: server, hasHead: head != nil, isShort: isShort))
      } else if head == nil {
        .failure(TransportError.fault(.protocolViolation, .malformedHead, at: server))
      } else if isShort {
        .failure(TransportError.fault(.truncated, at: server))
      } else {
        .success(())
      }
    end(outcome, dropsBuffer: false, isTransferComplete: isTransferComplete)
  }

  /// Ends the exchange after the head, even if the head announces a body.
  package func completeWithoutBody() { end(.success(()), dropsBuffer: false, isTransferComplete: false) }

  private func end(_ outcome: Result<Void, any Error>, dropsBuffer: Bool, isTransferComplete: Bool) {
    let ended = state.withLock { state -> State? in
      guard state.outcome == nil else { return nil }
      let before = state
      state.outcome = outcome
      state.transfer = nil
      state.headWaiter = nil
      state.bodyWaiter = nil
      if dropsBuffer { state.buffer = [] }
      return before
    }
    guard let ended else { return }
    ended.transfer?.end(isComplete: isTransferComplete)
    onEnd()
    ended.bodyWaiter?.resume(with: outcome.map { nil })
    if case .failure(let error) = outcome { ended.headWaiter?.resume(throwing: error) }
  }
}

/// The transfer controlled by an exchange.
package protocol Transfer: Sendable {
  /// Pauses or resumes reading from the connection, as far as the platform can.
  func setPaused(_ isPaused: Bool)

  /// Ends the transfer, unless it is complete, and releases its resources.
  func end(isComplete: Bool)
}

extension TransportError {
  fileprivate static func notReadFastEnough(_ limit: Int) -> TransportError {
    TransportError(
      .tooLarge, reason: .expansion,
      "More than \(limit) bytes of the body arrived before they were read, and the platform cannot pause a transfer. "
        + "Read faster, or use another transport.")
  }
}
