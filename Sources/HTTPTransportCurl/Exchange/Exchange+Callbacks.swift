// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

extension Exchange {
  /// Makes libcurl's callbacks call this exchange.
  ///
  /// The transport's thread keeps the exchange for as long as libcurl has its handle.
  func attach(to handle: EasyHandle) throws(TransportError) {
    try unsafe Self.set(handle, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Detaches libcurl's callbacks from any exchange.
  static func detach(from handle: EasyHandle) throws(TransportError) { try unsafe set(handle, nil) }

  private static func set(_ handle: EasyHandle, _ exchange: UnsafeMutableRawPointer?) throws(TransportError) {
    // Safe: libcurl calls back only between adding and removing the handle, while the thread holds the exchange.
    for option in [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA,
    ] {
      try unsafe handle.set(option, pointer: exchange)
    }
    if handle.kind.isUpload { try unsafe handle.set(CURLOPT_READDATA, pointer: exchange) }
  }

  /// Sets the callbacks of a handle, which all its transfers share.
  static func setCallbacks(of handle: EasyHandle) throws(TransportError) {
    let easy = unsafe handle.pointer
    // Safe: the sizes are those of the buffers that libcurl passes.
    let write = unsafe almanac_easy_set_data_function(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, exchange in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
      return unsafe Exchange.mayGoOn(exchange) { unsafe $0.receive(body: bytes.span) } ? count : .max
    }
    try handle.check(CURLOPT_WRITEFUNCTION, write)
    let header = unsafe almanac_easy_set_data_function(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, exchange in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
      return unsafe Exchange.mayGoOn(exchange) { unsafe $0.receive(line: bytes.span) } ? count : .max
    }
    try handle.check(CURLOPT_HEADERFUNCTION, header)
    let progress = unsafe almanac_easy_set_progress_function(easy) { exchange, _, downloaded, _, _ in
      unsafe Exchange.mayGoOn(exchange) { $0.judge(encodedBytes: Int(downloaded)) } ? 0 : 1
    }
    try handle.check(CURLOPT_XFERINFOFUNCTION, progress)
    let prerequest = unsafe almanac_easy_set_prerequest_function(easy) { exchange, _, _, _, _ in
      unsafe Exchange.from(exchange)?.maySend() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    try handle.check(CURLOPT_PREREQFUNCTION, prerequest)
    guard handle.kind.isUpload else { return }
    let read = unsafe almanac_easy_set_data_function(easy, CURLOPT_READFUNCTION) { bytes, size, count, exchange in
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return unsafe Exchange.from(exchange)?.upload?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }
    try handle.check(CURLOPT_READFUNCTION, read)
  }

  /// Returns the exchange of a handle that libcurl has; `nil` for a handle that libcurl uses internally.
  static func of(_ easy: UnsafeMutableRawPointer) -> Exchange? {
    var pointer: UnsafeMutableRawPointer?
    // Safe: libcurl writes what `attach` passed, or NULL.
    unsafe almanac_easy_get_private(easy, &pointer)
    return unsafe from(pointer)
  }

  /// Returns whether the transfer may continue.
  ///
  /// If not, more bytes of the response wait in the connection, which can therefore not be reused.
  private static func mayGoOn(_ exchange: UnsafeMutableRawPointer?, _ judge: (Exchange) -> Bool) -> Bool {
    guard let exchange = unsafe exchange else { return false }
    // Safe: the pointer is the one that `attach` passed, and the thread holds the exchange.
    return unsafe Unmanaged<Exchange>.fromOpaque(exchange)._withUnsafeGuaranteedRef { exchange in
      if judge(exchange) { return true }
      exchange.forbidReuse()
      return false
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
    // Safe: the pointer is the one that `attach` passed.
    unsafe pointer.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }
}
