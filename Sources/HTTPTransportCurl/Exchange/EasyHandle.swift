// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// Owns a libcurl easy handle, which carries one transfer, and frees it at the end of its life.
///
/// A handle is never used for a second transfer: libcurl before 8.1 keeps a pointer to the last header field of a handle's
/// transfer, and follows it after the field is freed if the next response begins with a continuation line.
///
/// `@safe` because the transport's thread alone has it, and the pointers are valid from `init` to `deinit`.
@safe
final class EasyHandle {
  /// libcurl's handle.
  let pointer: UnsafeMutableRawPointer
  /// Where libcurl writes the text of an error.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  /// The parsed URL; `nil` if there is none.
  private var url: OpaquePointer?
  /// Whether there is a proxy, unless the exceptions name the host.
  var hasProxy = false
  /// The header lines that libcurl adds to the request.
  private var lines: HeaderLines?
  /// The body that libcurl sends, unless it is streamed.
  private var body: RequestBody?

  /// Creates a handle; `nil` if there is no memory.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    // Safe: the handle has no owner any more, and the transport's thread removes it from its transfers before it lets go.
    unsafe curl_easy_cleanup(pointer)
    unsafe curl_url_cleanup(url)
    unsafe errorBuffer.deallocate()
  }

  /// libcurl's text for the last error.
  var errorText: String { unsafe String(cString: errorBuffer) }
}

// MARK: Options

extension EasyHandle {
  // Safe: libcurl copies strings, blobs and numbers. The URL, lists, the body and the error buffer live as long as the handle.

  func set(_ option: CURLoption, _ value: Int) { _ = unsafe almanac_easy_set_long(pointer, option, value) }

  func set(_ option: CURLoption, size: Int) { _ = unsafe almanac_easy_set_size(pointer, option, curl_off_t(size)) }

  func set(_ option: CURLoption, _ value: String) { _ = unsafe almanac_easy_set_string(pointer, option, value) }

  /// Sets the URL, as text and parsed.
  ///
  /// From text alone libcurl parses the URL and then formats it again, a character at a time: a seventh of all it does for a
  /// request whose URL has a query. From 8.12 on it formats a parsed URL too, so that this saves nothing there.
  func setURL(_ text: String) {
    set(CURLOPT_URL, text)
    let parsed = unsafe curl_url()
    // One that libcurl cannot parse is reported when the transfer starts.
    let isParsed = unsafe curl_url_set(parsed, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK
    let pointer = unsafe isParsed ? UnsafeMutableRawPointer(parsed) : nil
    _ = unsafe almanac_easy_set_pointer(self.pointer, CURLOPT_CURLU, pointer)
    unsafe curl_url_cleanup(url)
    unsafe url = parsed
  }

  /// Makes libcurl close the connection at the end of the transfer, rather than keep it for others.
  ///
  /// One of HTTP/2 that other transfers use at the same time stays.
  func forbidReuse() { set(CURLOPT_FORBID_REUSE, 1) }

  func unset(_ option: CURLoption) { _ = unsafe almanac_easy_set_string(pointer, option, nil) }

  func setBody(_ body: RequestBody) {
    self.body = body
    unsafe set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.bytes.count)
    _ = unsafe almanac_easy_set_pointer(pointer, CURLOPT_POSTFIELDS, body.bytes.baseAddress)
  }

  func set(_ option: CURLoption, blob bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { bytes in
      // libcurl copies what it is told to copy, and writes nothing through the pointer.
      var blob = unsafe curl_blob(
        data: UnsafeMutableRawPointer(mutating: bytes.baseAddress), len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
      _ = unsafe almanac_easy_set_blob(pointer, option, &blob)
    }
  }

  func setHeaderLines(_ lines: HeaderLines) {
    self.lines = lines
    _ = unsafe almanac_easy_set_list(pointer, CURLOPT_HTTPHEADER, lines.first)
  }

  func setErrorBuffer() {
    _ = unsafe almanac_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer)
  }
}

// MARK: What is known of the last transfer

extension EasyHandle {
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe almanac_easy_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// Whether the response came over HTTP/2.
  var isHTTP2: Bool { long(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }

  func size(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return unsafe almanac_easy_get_size(pointer, info, &value) == CURLE_OK ? Int(value) : 0
  }
}
