// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

extension Transfer {
  /// Makes libcurl's callbacks call this transfer.
  ///
  /// The transport's thread retains the transfer for as long as libcurl has its handle.
  func attach(to handle: EasyHandle) throws(TransportError) {
    // Safe: libcurl calls back only between adding and removing the handle, while the thread retains the transfer.
    try unsafe handle.setCallbackArgument(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sets the callbacks of a handle, which all its transfers share.
  static func setCallbacks(of handle: EasyHandle) throws(TransportError) {
    let easy = unsafe handle.pointer
    // Safe: the sizes are those of the buffers that libcurl passes.
    let write = unsafe almanac_easy_set_data_function(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, transfer in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
      return unsafe Transfer.mayGoOn(transfer) { unsafe $0.receive(body: bytes.span) } ? count : .max
    }
    try handle.check(CURLOPT_WRITEFUNCTION, write)
    let header = unsafe almanac_easy_set_data_function(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, transfer in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
      return unsafe Transfer.mayGoOn(transfer) { unsafe $0.receive(line: bytes.span) } ? count : .max
    }
    try handle.check(CURLOPT_HEADERFUNCTION, header)
    let progress = unsafe almanac_easy_set_progress_function(easy) { transfer, _, downloaded, _, _ in
      unsafe Transfer.mayGoOn(transfer) { $0.judge(encodedBytes: Int(downloaded)) } ? 0 : 1
    }
    try handle.check(CURLOPT_XFERINFOFUNCTION, progress)
    let prerequest = unsafe almanac_easy_set_prerequest_function(easy) { transfer, _, _, _, _ in
      unsafe Transfer.from(transfer)?.maySend() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    try handle.check(CURLOPT_PREREQFUNCTION, prerequest)
    guard handle.kind.isUpload else { return }
    let read = unsafe almanac_easy_set_data_function(easy, CURLOPT_READFUNCTION) { bytes, size, count, transfer in
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return unsafe Transfer.from(transfer)?.exchange.upload?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }
    try handle.check(CURLOPT_READFUNCTION, read)
  }

  /// Returns the transfer of one of libcurl's handles, or `nil` for an internal handle of libcurl.
  static func of(_ easy: UnsafeMutableRawPointer) -> Transfer? {
    var pointer: UnsafeMutableRawPointer?
    // Safe: libcurl writes what `attach` passed, or NULL.
    unsafe almanac_easy_get_private(easy, &pointer)
    return unsafe from(pointer)
  }

  /// Returns whether the transfer may continue.
  ///
  /// If not, the connection has unread bytes of the response, and is not reused.
  private static func mayGoOn(_ transfer: UnsafeMutableRawPointer?, _ judge: (Transfer) -> Bool) -> Bool {
    guard let transfer = unsafe transfer else { return false }
    // Safe: the pointer is the one that `attach` passed, and the thread retains the transfer.
    return unsafe Unmanaged<Transfer>.fromOpaque(transfer)._withUnsafeGuaranteedRef { transfer in
      if judge(transfer) { return true }
      transfer.forbidReuse()
      return false
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
    // Safe: the pointer is the one that `attach` passed.
    unsafe pointer.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// The sockets, the watchdog and the full streams of the transport's thread, for the callbacks of its transfers.
final class CallbackContext {
  let sockets: ThreadOwned<SocketSet>
  let watchdog: Watchdog
  /// The streamed exchanges whose transfers have to be paused.
  ///
  /// They are paused after libcurl returns. If a callback paused a transfer, libcurl itself would store the rest of the
  /// data that it is decoding, without a limit.
  var fullStreams: [Exchange] = []
  /// Whether there are several transfers, so another one could use a connection as soon as it is idle.
  var hasSeveral = false

  init(sockets: SocketSet, watchdog: Watchdog) {
    self.sockets = ThreadOwned(sockets)
    self.watchdog = watchdog
  }
}
