// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// Owns a libcurl easy handle, which carries one transfer after the other, and frees it at the end of its life.
///
/// All its transfers are of one kind, so that what one sets cannot change what another sends. It carries the next one only if
/// nothing went wrong with the last one.
///
/// `@safe` because the transport's thread alone has it, and the pointers are valid from `init` to `deinit`.
@safe
final class EasyHandle {
  /// What all transfers of the handle have in common.
  let kind: Kind
  /// libcurl's handle.
  let pointer: UnsafeMutableRawPointer
  /// Where libcurl writes the text of an error.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  /// The origin of the last request, unless there is a proxy.
  private var origin: Origin?
  /// Path and query of the last request, unless there is a proxy.
  private var pathAndQuery: String?
  /// The parsed URL; `nil` if there is none.
  private var url: OpaquePointer?
  /// The header lines that libcurl adds to the request.
  private var lines: HeaderLines?
  /// The body that libcurl sends, unless it is streamed.
  private var body: RequestBody?
  /// Whether libcurl reports the progress of the transfer.
  private var reportsProgress = false
  /// Whether libcurl shows the lines of a response's head to the callback for bodies.
  private var showsHead = false
  /// Whether the handle carries no transfer after this one.
  private(set) var isLast: Bool
  /// Whether the handle has carried a transfer.
  private(set) var isUsed = false

  /// Creates a handle; `nil` if there is no memory.
  init?(_ kind: Kind, setup: Setup) {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    self.kind = kind
    // A streamed body may be paused, and a handle keeps that.
    isLast = kind.mode != .whole
    unsafe self.pointer = pointer
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    _ = unsafe almanac_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer)
    prepare(setup)
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

  /// Sets where the request goes.
  ///
  /// libcurl parses the URL for each request, and formats path and query a character at a time. So it gets the URL of the origin, which
  /// stays for the next request, and the rest as it is to be sent: for a URL of 180 characters that saves a fifth of all the
  /// instructions of a request. A proxy gets the whole URL.
  func setTarget(_ target: RequestTarget) {
    guard !hasProxy else { return setURL(target.origin.description + target.pathAndQuery) }
    if target.origin != origin {
      origin = target.origin
      setURL(target.origin.description + "/")
    }
    if target.pathAndQuery != pathAndQuery {
      pathAndQuery = target.pathAndQuery
      set(CURLOPT_REQUEST_TARGET, target.pathAndQuery)
    }
  }

  /// Sets the URL, as text and parsed: from text alone libcurl before 8.12 parses the URL and then formats it again.
  private func setURL(_ text: String) {
    set(CURLOPT_URL, text)
    let parsed = unsafe curl_url()
    // One that libcurl cannot parse is reported when the transfer starts.
    let isParsed = unsafe curl_url_set(parsed, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK
    let pointer = unsafe isParsed ? UnsafeMutableRawPointer(parsed) : nil
    _ = unsafe almanac_easy_set_pointer(self.pointer, CURLOPT_CURLU, pointer)
    unsafe curl_url_cleanup(url)
    unsafe url = parsed
  }

  /// Makes libcurl close the connection at the end of the transfer, rather than keep it for others, and the transport the handle.
  ///
  /// One of HTTP/2 that other transfers use at the same time stays.
  func forbidReuse() {
    isLast = true
    set(CURLOPT_FORBID_REUSE, 1)
  }

  func unset(_ option: CURLoption) { _ = unsafe almanac_easy_set_string(pointer, option, nil) }

  func setBody(_ body: RequestBody) {
    self.body = body
    unsafe set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.bytes.count)
    _ = unsafe almanac_easy_set_pointer(pointer, CURLOPT_POSTFIELDS, body.bytes.baseAddress)
  }

  /// Makes libcurl report the progress of the transfer, which takes time for each step of it.
  func setReportsProgress(_ reports: Bool) {
    guard reports != reportsProgress else { return }
    reportsProgress = reports
    set(CURLOPT_NOPROGRESS, reports ? 0 : 1)
  }

  /// Makes libcurl show each line of a response's head to the callback for bodies first, before it reads the line itself.
  func setShowsHead(_ shows: Bool) {
    guard shows != showsHead else { return }
    showsHead = shows
    set(CURLOPT_HEADER, shows ? 1 : 0)
  }

  /// Lets go of what belongs to the transfer that has ended: the request, and who is told of it.
  func letGo() {
    isUsed = true
    _ = unsafe almanac_easy_set_list(pointer, CURLOPT_HTTPHEADER, nil)
    lines = nil
    if body != nil {
      _ = unsafe almanac_easy_set_pointer(pointer, CURLOPT_POSTFIELDS, nil)
      body = nil
    }
    setReportsProgress(false)
    Exchange.detach(from: self)
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
