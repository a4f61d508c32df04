// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Synchronization

/// One transfer: what is sent, what has arrived, and the task that waits for it.
///
/// libcurl's handle is made and freed by the transport's thread, as is all memory that libcurl takes for the transfer: memory
/// that one thread takes and another gives back costs both a lock.
///
/// Sendable although the compiler cannot see it. What is not behind the lock belongs to one thread at a time: to the task
/// until it submits the exchange, to the transport's thread from then on, and to the task again when its wait ends with
/// something else than a cancellation. Submitting and resuming go through locks, so that each sees what the other wrote.
final class Exchange: @unchecked Sendable {
  let request: HTTPRequest
  private let target: RequestTarget
  private let requestBody: RequestBody?
  let setup: EasyHandle.Setup
  /// libcurl's handle, from the start of the transfer to its end.
  private(set) var handle: EasyHandle?
  /// The thread that carries it out.
  let thread: TransportThread
  let deadline: Deadline
  /// Where the pieces of a streamed response go; `nil` if the response is collected here.
  let download: DownloadChannel?
  /// Where the pieces of a streamed request come from.
  let upload: UploadChannel?
  let receiver: ThreadOwned<ResponseReceiver>
  /// How often libcurl has begun to send the request.
  private var attempts = 0
  /// Which directions libcurl is to pause: `CURLPAUSE_RECV`, `CURLPAUSE_SEND`.
  var pauses: Int32 = 0
  /// Where the exchange is among those that libcurl has; `nil` if libcurl does not have it.
  var position: Int?
  /// The socket that libcurl had watched last for the transfer.
  var socket: SocketSet.Socket?
  /// The transfers and sockets of the thread, from the start of the transfer on.
  var transfers: ActiveTransfers?
  /// Whether the exchange is among the full streams, or paused because it was.
  var isFull = false
  private let state = Mutex(State.idle)

  /// Why a transfer ended that libcurl would have gone on with.
  enum Ending {
    case timedOut
    case stopped
    /// libcurl did not take the request.
    case refused(TransportError)
  }

  /// What the task was resumed with.
  enum Outcome {
    /// The transfer ended: with a complete response, or an error.
    case ended((any Error)?)
    /// The head of a streamed response has come.
    case head(Head)
  }

  /// The head of a streamed response.
  struct Head {
    let status: Int
    let fields: HTTPFields
    /// The size of the body; `nil` if it is not known.
    let length: Int?
  }

  /// `@safe` because the code that takes the continuation out of the state resumes it, and puts `finished` in its place under the
  /// same lock: it is resumed once.
  @safe
  private enum State {
    case idle
    case waiting(UnsafeContinuation<Outcome, any Error>)
    case finished
  }

  init(
    _ request: HTTPRequest, to target: RequestTarget, setup: EasyHandle.Setup, thread: TransportThread,
    deadline: Deadline, limits: TransportLimits, download: DownloadChannel? = nil, upload: UploadChannel? = nil
  ) {
    self.request = request
    self.target = target
    requestBody = RequestBody(request)
    self.setup = setup
    self.thread = thread
    self.deadline = deadline
    self.download = download
    self.upload = upload
    receiver = ThreadOwned(ResponseReceiver(request, limits: limits, codings: setup.codings))
  }
}

// MARK: The waiting task

extension Exchange {
  /// Makes `continuation` the one that is resumed when the transfer ends, or the head of a streamed response has come.
  ///
  /// - Returns: Whether the transfer is to be submitted; `false` if it has been cancelled already.
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
  /// - Returns: Whether the transfer may be under way, so that the transport's thread has to end it.
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

  /// Whether the response goes to a reader piece by piece.
  var isStreamed: Bool { download != nil }

  /// The complete response.
  func response() -> HTTPResponse {
    HTTPResponse(
      status: receiver.value.status, fields: HTTPFields(head: receiver.value.head), body: receiver.value.body)
  }
}

// MARK: The transport's thread

extension Exchange {
  /// What the handle of the transfer is set up for.
  var kind: EasyHandle.Kind {
    EasyHandle.Kind(
      mode: download == nil ? .whole : upload == nil ? .download : .upload, isSecure: target.origin.scheme == "https",
      method: request.method, hasBody: requestBody != nil || upload != nil,
      proxy: setup.proxy.proxy(for: target.origin))
  }

  /// Begins the transfer with a handle of its kind.
  ///
  /// - Throws: `TransportError` if libcurl does not take the request.
  func open(_ handle: EasyHandle) throws(TransportError) {
    try handle.carry(request, to: target, requestBody, streamedLength: upload?.length, setup: setup)
    try attach(to: handle)
    self.handle = handle
  }

  /// Ends the transfer: libcurl no longer has the handle.
  ///
  /// - Returns: The handle if the transfer went well at the first attempt, so that it may carry another one: libcurl counts the attempts
  ///   of a handle over all its transfers, and gives up after six.
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

  /// The error for the transfer's end, or `nil` if it brought a complete response.
  private func error(_ result: CURLcode, _ ending: Ending?) -> (any Error)? {
    if case .refused(let error) = ending { return error }
    if let failure = upload?.failure { return failure }
    if result == CURLE_OK, ending == nil, receiver.value.isComplete { return nil }
    let origin = target.origin
    if let fault = receiver.value.fault { return TransportError.fault(fault.code, fault.reason, at: origin) }
    switch (ending, handle) {
    case (.timedOut, let handle):
      return TransportError.fault(.timedOut, handle?.phase(receiver.value) ?? .connecting, at: origin)
    case (.stopped, _): return CancellationError()
    case (.refused(let error), _): return error
    case (nil, let handle?): return TransportError(result, handle, receiver.value, at: origin)
    case (nil, nil): return TransportError.noMemory
    }
  }

  func receive(line: Span<UInt8>) -> Bool {
    thread.watchdog.noteProgress()
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

  /// Takes a piece of the body, or of a line of the head that `receive(line:)` gets next.
  func receive(body bytes: Span<UInt8>) -> Bool {
    guard receiver.value.isHeadComplete else {
      guard receiver.value.checkStart(of: bytes) else { return false }
      if receiver.value.isStartChecked { handle?.setShowsHead(false) }
      return true
    }
    thread.watchdog.noteProgress()
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

  /// Judges how far the transfer has come.
  ///
  /// libcurl asks once more when it has ended, before it closes or keeps the connection.
  func judge(encodedBytes: Int) -> Bool {
    guard receiver.value.isHeadComplete else { return true }
    if receiver.value.endsWithConnection, target.origin.scheme == "https" {
      receiver.value.isEndUnproven = handle?.hasCloseNotify != true
    }
    if receiver.value.mayBeAtEnd(encodedBytes: encodedBytes) { keepConnectionIfQuiet() }
    return receiver.value.judge(encodedBytes: encodedBytes)
  }

  /// Whether a request that reached a dead connection may go to a fresh one, whatever has left of it.
  var isSentAgain: Bool { request.isRepeatable && upload == nil }

  /// Whether libcurl may send the request, which it is about to do for the first time, or again on a fresh connection because
  /// a kept one turned out to be dead.
  ///
  /// A request that is not repeatable is not sent again once a byte of it has left.
  func maySend() -> Bool {
    attempts += 1
    return attempts == 1 || isSentAgain || handle?.long(CURLINFO_REQUEST_SIZE) == 0
  }
}

/// The instant by which an exchange has to be complete.
struct Deadline: Sendable {
  let instant: ContinuousClock.Instant

  /// A deadline that is `limit` from now; none within the life of a process if the limit is longer than that.
  init(after limit: Duration) {
    instant = .now + min(max(limit, .zero), .seconds(Int64(UInt32.max)))
  }
}
