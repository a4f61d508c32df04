// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// The part of an exchange used by the transport's thread: libcurl's handle and the response so far.
///
/// The transport's thread creates and frees libcurl's handle, and with it all memory allocated by libcurl for the
/// transfer. If one thread allocated the memory and another freed it, both would have to take a lock.
final class Transfer {
  let exchange: Exchange
  let context: CallbackContext
  let receiver: ThreadOwned<ResponseReceiver>
  /// libcurl's handle, from the start of the transfer to its end.
  private(set) var handle: EasyHandle?
  /// The number of times that libcurl has begun to send the request.
  private var attempts = 0
  /// Whether the connection was ready only after the deadline for sending the request.
  private var isTooLate = false
  /// The directions to pause: `CURLPAUSE_RECV`, `CURLPAUSE_SEND`.
  var pauses: Int32 = 0
  /// The socket last watched by libcurl for the transfer.
  var socket: SocketSet.Socket?
  /// Whether the transfer is among the full streams, or was paused as one of them.
  var isFull = false

  /// The reason that a transfer ended although libcurl would have continued it.
  enum Ending {
    case timedOut
    case stopped
    /// libcurl rejected the request.
    case refused(TransportError)
  }

  init(_ exchange: Exchange, _ receiver: ResponseReceiver, in context: CallbackContext) {
    self.exchange = exchange
    self.receiver = ThreadOwned(receiver)
    self.context = context
  }
}

extension Transfer {
  /// The kind of handle for the transfer.
  var kind: EasyHandle.Kind {
    EasyHandle.Kind(
      mode: exchange.download == nil ? .whole : exchange.upload == nil ? .download : .upload,
      isSecure: exchange.target.origin.scheme == "https", method: exchange.request.method,
      hasBody: exchange.requestBody != nil || exchange.upload != nil,
      proxy: exchange.setup.proxy.proxy(for: exchange.target.origin))
  }

  /// Begins the transfer with a handle of its kind.
  ///
  /// - Throws: `TransportError` if libcurl rejects the request.
  func open(_ handle: EasyHandle) throws(TransportError) {
    try handle.carry(
      exchange.request, to: exchange.target, exchange.requestBody, streamedLength: exchange.upload?.length,
      setup: exchange.setup)
    try attach(to: handle)
    self.handle = handle
  }

  /// Ends the transfer, after libcurl has released the handle.
  ///
  /// - Returns: The handle for another transfer, if this one succeeded at the first attempt. libcurl counts the attempts of a
  ///   handle over all its transfers, and gives up after six.
  @discardableResult
  func complete(_ result: CURLcode, _ ending: Ending? = nil) -> EasyHandle? {
    let error = error(result, ending)
    let handle = error == nil && result == CURLE_OK && attempts == 1 ? handle : nil
    self.handle = nil
    if let error { exchange.finish(.failure(error)) } else { exchange.finish(.success(receiver.value)) }
    return handle
  }

  /// Returns the error for the transfer's end, or `nil` if the response is complete.
  private func error(_ result: CURLcode, _ ending: Ending?) -> (any Error)? {
    if case .refused(let error) = ending { return error }
    if let failure = exchange.upload?.failure { return failure }
    if result == CURLE_OK, ending == nil, receiver.value.isComplete { return nil }
    let origin = exchange.target.origin
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
    context.watchdog.noteProgress()
    switch receiver.value.receive(line: line) {
    case .fault: return false
    case .goOn: return true
    case .headComplete: break
    }
    if receiver.value.isMultiplexed, handle?.isMultiplexed != true {
      return receiver.value.end(.protocolViolation, .malformedHead)
    }
    if exchange.download == nil {
      receiver.value.reserveBody()
    } else {
      exchange.resume(
        .head(
          Exchange.Head(
            status: receiver.value.status, fields: HTTPFields(head: receiver.value.head),
            length: receiver.value.announcedSize.decodedBytes)))
    }
    return true
  }

  /// Receives a piece of the body, or of a line of the head, received next by `receive(line:)`.
  func receive(body bytes: Span<UInt8>) -> Bool {
    guard receiver.value.isHeadComplete else {
      guard receiver.value.checkStart(of: bytes) else { return false }
      if receiver.value.isStartChecked { handle?.setShowsHead(false) }
      return true
    }
    context.watchdog.noteProgress()
    guard receiver.value.count(body: bytes.count) else { return false }
    if let download = exchange.download {
      guard download.receive(bytes) else { return receiver.value.end(.tooLarge, .expansion) }
      if download.isFull, !isFull {
        isFull = true
        context.fullStreams.append(exchange)
      }
      return true
    }
    receiver.value.append(body: bytes)
    return true
  }

  /// Checks the progress of the transfer.
  ///
  /// libcurl calls this once more at the end, before it closes or keeps the connection.
  func judge(encodedBytes: Int) -> Bool {
    guard receiver.value.isHeadComplete else { return true }
    if receiver.value.endsWithConnection, exchange.target.origin.scheme == "https" {
      receiver.value.isEndUnproven = handle?.hasCloseNotify != true
    }
    if receiver.value.mayBeAtEnd(encodedBytes: encodedBytes) { keepConnectionIfQuiet() }
    return receiver.value.judge(encodedBytes: encodedBytes)
  }

  /// Whether libcurl may send a request again on a new connection if the old one was dead, even if bytes of it were sent.
  var isSentAgain: Bool { exchange.request.isRepeatable && exchange.upload == nil }

  /// Returns whether libcurl may send the request, for the first time or again on a new connection.
  ///
  /// A non-repeatable request is not sent again once a byte of it has been sent.
  func maySend() -> Bool {
    attempts += 1
    isTooLate = exchange.request.isTooLate
    guard !isTooLate else { return false }
    return attempts == 1 || isSentAgain || handle?.long(CURLINFO_REQUEST_SIZE) == 0
  }
}

// MARK: The connection

extension Transfer {
  /// Lets libcurl keep the connection only if no bytes have followed the response.
  ///
  /// libcurl would read such bytes as the response to the next request. They may be in the TLS library, where the socket does
  /// not show them, or at the socket. The socket is watched only after libcurl returns, and another transfer can use the
  /// connection before that.
  func keepConnectionIfQuiet() {
    guard let handle else { return }
    let isQuiet =
      !handle.mayHoldUnreadBytes
      && (!context.hasSeveral || connection.map { context.sockets.value.isQuiet($0) } ?? false)
    if !handle.setForbidsReuse(!isQuiet) { disconnect() }
  }

  /// Makes libcurl close the connection at the end of the transfer.
  func forbidReuse() {
    if let handle, !handle.forbidReuse() { disconnect() }
  }

  /// The socket of the connection, or `nil` if unknown.
  ///
  /// libcurl does not always report the socket of a connection used by another transfer. The socket is then found by
  /// the connection's local port.
  var connection: SocketSet.Socket? {
    guard let handle else { return nil }
    let port = handle.long(CURLINFO_LOCAL_PORT)
    guard port > 0 else { return nil }
    if let socket, context.sockets.value.isOpen(socket, localPort: port) { return socket }
    return context.sockets.value.socket(localPort: port)
  }

  /// Ends the connection without closing its descriptor, which libcurl owns.
  private func disconnect() {
    if let connection { context.sockets.value.disconnect(connection) }
  }
}
