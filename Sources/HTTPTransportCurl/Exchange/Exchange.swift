// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Synchronization

/// One transfer: the request, the response so far, and the task that waits for it.
///
/// The transport's thread creates and frees libcurl's handle, and with it all memory that libcurl allocates for the transfer.
/// Memory that one thread allocates and another frees costs both a lock.
///
/// Sendable although the compiler cannot verify it. State outside the lock belongs to one thread at a time. It belongs to the
/// task until it submits the exchange, then to the transport's thread, and to the task again after its wait ends without a
/// cancellation. Submitting and resuming use locks, so each side sees what the other wrote.
final class Exchange: @unchecked Sendable {
  let request: HTTPRequest
  private let target: RequestTarget
  private let requestBody: RequestBody?
  let setup: EasyHandle.Setup
  /// libcurl's handle, from the start of the transfer to its end.
  private(set) var handle: EasyHandle?
  let deadline: Deadline
  /// The channel for the pieces of a streamed response; `nil` if the response is collected here.
  let download: DownloadChannel?
  /// The channel for the pieces of a streamed request.
  let upload: UploadChannel?
  let receiver: ThreadOwned<ResponseReceiver>
  /// The number of times that libcurl has begun to send the request.
  private var attempts = 0
  /// Whether the connection was ready only after the deadline for sending the request.
  private var isTooLate = false
  /// The directions that libcurl is to pause: `CURLPAUSE_RECV`, `CURLPAUSE_SEND`.
  var pauses: Int32 = 0
  /// The position among the exchanges that libcurl has; `nil` if libcurl does not have it.
  var position: Int?
  /// The socket that libcurl watched last for the transfer.
  var socket: SocketSet.Socket?
  /// The transfers and sockets of the thread, from the start of the transfer on.
  var transfers: ActiveTransfers?
  /// Whether the exchange is among the full streams, or was paused as one of them.
  var isFull = false
  private let state = Mutex(State.idle)

  /// The reason that a transfer ended although libcurl would have continued it.
  enum Ending {
    case timedOut
    case stopped
    /// libcurl rejected the request.
    case refused(TransportError)
  }

  /// The result that the task is resumed with.
  enum Outcome {
    /// The transfer ended: with a complete response, or an error.
    case ended((any Error)?)
    /// The head of a streamed response has arrived.
    case head(Head)
  }

  /// The head of a streamed response.
  struct Head {
    let status: Int
    let fields: HTTPFields
    /// The size of the body; `nil` if unknown.
    let length: Int?
  }

  /// `@safe` because the code that takes the continuation out of the state resumes it, and sets `finished` under the same lock:
  /// it is resumed once.
  @safe
  private enum State {
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
    receiver = ThreadOwned(ResponseReceiver(request, limits: limits, codings: setup.codings))
  }
}

// MARK: The waiting task

extension Exchange {
  /// Stores the continuation to resume when the transfer ends, or when the head of a streamed response has arrived.
  ///
  /// - Returns: Whether to submit the transfer; `false` if it was cancelled before.
  func begin(_ continuation: UnsafeContinuation<Outcome, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      guard case .idle = state else { return true }
      state = unsafe .waiting(continuation)
      return false
    }
    if isCancelled { unsafe continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  /// Ends the wait with `CancellationError`.
  ///
  /// - Returns: Whether the transfer may be running, so that the transport's thread has to end it.
  func cancel() -> Bool {
    let old = state.withLock { state in
      defer { state = .finished }
      return state
    }
    if case .waiting(let continuation) = old { unsafe continuation.resume(throwing: CancellationError()) }
    if case .idle = old { return false }
    return true
  }

  /// Whether the task no longer waits.
  var isAbandoned: Bool {
    state.withLock { if case .waiting = $0 { false } else { true } }
  }

  private func resume(_ outcome: Outcome) {
    let old = state.withLock { state in
      defer { state = .finished }
      return state
    }
    if case .waiting(let continuation) = old { unsafe continuation.resume(returning: outcome) }
  }

  /// The complete response.
  func response() -> HTTPResponse {
    HTTPResponse(
      status: receiver.value.status, fields: HTTPFields(head: receiver.value.head), body: receiver.value.body)
  }
}

// MARK: The transport's thread

extension Exchange {
  /// The kind of handle that the transfer needs.
  var kind: EasyHandle.Kind {
    EasyHandle.Kind(
      mode: download == nil ? .whole : upload == nil ? .download : .upload, isSecure: target.origin.scheme == "https",
      method: request.method, hasBody: requestBody != nil || upload != nil,
      proxy: setup.proxy.proxy(for: target.origin))
  }

  /// Begins the transfer with a handle of its kind.
  ///
  /// - Throws: `TransportError` if libcurl rejects the request.
  func open(_ handle: EasyHandle) throws(TransportError) {
    try handle.carry(request, to: target, requestBody, streamedLength: upload?.length, setup: setup)
    try attach(to: handle)
    self.handle = handle
  }

  /// Ends the transfer: libcurl no longer has the handle.
  ///
  /// - Returns: The handle for another transfer, if this one succeeded at the first attempt. libcurl counts the attempts of a
  ///   handle over all its transfers, and gives up after six.
  @discardableResult
  func complete(_ result: CURLcode, _ ending: Ending? = nil) -> EasyHandle? {
    let error = error(result, ending)
    let handle = error == nil && result == CURLE_OK && attempts == 1 ? handle : nil
    self.handle = nil
    if let download {
      upload?.cancel()
      download.finish(throwing: error)
    }
    resume(.ended(error))
    return handle
  }

  /// Returns the error for the transfer's end, or `nil` if the response is complete.
  private func error(_ result: CURLcode, _ ending: Ending?) -> (any Error)? {
    if case .refused(let error) = ending { return error }
    if let failure = upload?.failure { return failure }
    if result == CURLE_OK, ending == nil, receiver.value.isComplete { return nil }
    let origin = target.origin
    if isTooLate { return TransportError.fault(.sendingDeadlinePassed, at: origin) }
    if let fault = receiver.value.fault { return TransportError.fault(fault.code, fault.reason, at: origin) }
    if case .timedOut = ending {
      return TransportError.fault(.timedOut, handle?.phase(receiver.value) ?? .connecting, at: origin)
    }
    // A transfer that libcurl has ended has its handle.
    guard case nil = ending, let handle else { return CancellationError() }
    return TransportError(result, handle, receiver.value, at: origin)
  }

  func receive(line: Span<UInt8>) -> Bool {
    transfers?.watchdog.noteProgress()
    switch receiver.value.receive(line: line) {
    case .fault: return false
    case .goOn: return true
    case .headComplete: break
    }
    if receiver.value.isMultiplexed, handle?.isMultiplexed != true {
      return receiver.value.end(.protocolViolation, .malformedHead)
    }
    if download == nil {
      receiver.value.reserveBody()
    } else {
      resume(
        .head(
          Head(
            status: receiver.value.status, fields: HTTPFields(head: receiver.value.head),
            length: receiver.value.announcedSize.decodedBytes)))
    }
    return true
  }

  /// Receives a piece of the body, or of a line of the head that `receive(line:)` gets next.
  func receive(body bytes: Span<UInt8>) -> Bool {
    guard receiver.value.isHeadComplete else {
      guard receiver.value.checkStart(of: bytes) else { return false }
      if receiver.value.isStartChecked { handle?.setShowsHead(false) }
      return true
    }
    transfers?.watchdog.noteProgress()
    guard receiver.value.count(body: bytes.count) else { return false }
    if let download {
      guard download.receive(bytes) else { return receiver.value.end(.tooLarge, .expansion) }
      if download.isFull, !isFull {
        isFull = true
        transfers?.fullStreams.append(self)
      }
      return true
    }
    receiver.value.append(body: bytes)
    return true
  }

  /// Judges the progress of the transfer.
  ///
  /// libcurl calls this once more at the end, before it closes or keeps the connection.
  func judge(encodedBytes: Int) -> Bool {
    guard receiver.value.isHeadComplete else { return true }
    if receiver.value.endsWithConnection, target.origin.scheme == "https" {
      receiver.value.isEndUnproven = handle?.hasCloseNotify != true
    }
    if receiver.value.mayBeAtEnd(encodedBytes: encodedBytes) { keepConnectionIfQuiet() }
    return receiver.value.judge(encodedBytes: encodedBytes)
  }

  /// Whether a request that reached a dead connection may be sent again on a new one, however much of it was sent.
  var isSentAgain: Bool { request.isRepeatable && upload == nil }

  /// Returns whether libcurl may send the request: for the first time, or again on a new connection because a kept one was
  /// dead.
  ///
  /// A request that is not repeatable is not sent again once a byte of it has been sent.
  func maySend() -> Bool {
    attempts += 1
    isTooLate = request.isTooLate
    guard !isTooLate else { return false }
    return attempts == 1 || isSentAgain || handle?.long(CURLINFO_REQUEST_SIZE) == 0
  }
}

/// The instant by which an exchange must be complete.
struct Deadline: Sendable {
  let instant: ContinuousClock.Instant

  /// Creates a deadline after `limit`, or after 2³² − 1 seconds if that is shorter.
  init(after limit: Duration) {
    instant = .now + min(max(limit, .zero), .seconds(Int64(UInt32.max)))
  }
}
