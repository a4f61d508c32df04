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
  /// Whether libcurl closes the connection at the end of the transfer.
  private var forbidsReuse = false
  /// Whether libcurl shows the lines of a response's head to the callback for bodies.
  private var showsHead = false
  /// Whether the handle carries no transfer after this one.
  private(set) var isLast: Bool
  /// Whether the handle has carried a transfer.
  private(set) var isUsed = false

  /// Creates a handle.
  ///
  /// - Throws: `TransportError` if there is no memory, or libcurl refuses an option.
  init(_ kind: Kind, setup: Setup) throws(TransportError) {
    guard let pointer = unsafe curl_easy_init() else { throw .noMemory }
    self.kind = kind
    // A streamed body may be paused, and a handle keeps that.
    isLast = kind.mode != .whole
    unsafe self.pointer = pointer
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    try prepare(setup)
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

// MARK: What belongs to one transfer

extension EasyHandle {
  /// Sets where the request goes.
  ///
  /// libcurl parses the URL for each request, and formats path and query a character at a time. So it gets the URL of the origin, which
  /// stays for the next request, and the rest as it is to be sent: for a URL of 180 characters that saves a fifth of all the
  /// instructions of a request. A proxy gets the whole URL.
  func setTarget(_ target: RequestTarget) throws(TransportError) {
    guard !hasProxy else { return try setURL(target.origin.description + target.pathAndQuery) }
    if target.origin != origin {
      try setURL(target.origin.description + "/")
      origin = target.origin
    }
    if target.pathAndQuery != pathAndQuery {
      try set(CURLOPT_REQUEST_TARGET, target.pathAndQuery)
      pathAndQuery = target.pathAndQuery
    }
  }

  /// Sets the URL, as text and parsed: from text alone libcurl before 8.12 parses the URL and then formats it again.
  private func setURL(_ text: String) throws(TransportError) {
    try set(CURLOPT_URL, text)
    let parsed = unsafe curl_url()
    // One that libcurl cannot parse is reported when the transfer starts.
    let isParsed = unsafe curl_url_set(parsed, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK
    let pointer = unsafe isParsed ? UnsafeMutableRawPointer(parsed) : nil
    // Safe: the last one is freed only after libcurl has another one or none.
    do throws(TransportError) {
      try unsafe set(CURLOPT_CURLU, pointer: pointer)
    } catch {
      unsafe curl_url_cleanup(parsed)
      throw error
    }
    unsafe curl_url_cleanup(url)
    unsafe url = parsed
  }

  func setBody(_ body: RequestBody) throws(TransportError) {
    self.body = body
    try unsafe set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.bytes.count)
    try unsafe set(CURLOPT_POSTFIELDS, pointer: body.bytes.baseAddress)
  }

  func setHeaderLines(_ lines: HeaderLines) throws(TransportError) {
    self.lines = lines
    try unsafe set(CURLOPT_HTTPHEADER, list: lines.first)
  }

  /// Makes libcurl close the connection at the end of the transfer, rather than keep it for others, and the transport the handle.
  ///
  /// One of HTTP/2 that other transfers use at the same time stays.
  ///
  /// - Returns: Whether libcurl will do so.
  func forbidReuse() -> Bool {
    isLast = true
    return setForbidsReuse(true)
  }

  /// Makes libcurl close the connection at the end of the transfer, or keep it.
  ///
  /// - Returns: Whether libcurl will do so.
  func setForbidsReuse(_ forbids: Bool) -> Bool {
    guard forbids != forbidsReuse else { return true }
    do throws(TransportError) {
      try set(CURLOPT_FORBID_REUSE, forbids ? 1 : 0)
      forbidsReuse = forbids
      return true
    } catch {
      isLast = true
      return false
    }
  }

  /// Makes libcurl show each line of a response's head to the callback for bodies first, before it reads the line itself.
  func setShowsHead(_ shows: Bool) {
    guard shows != showsHead else { return }
    do throws(TransportError) {
      try set(CURLOPT_HEADER, shows ? 1 : 0)
      showsHead = shows
    } catch {
      isLast = true
    }
  }

  /// Lets go of what belongs to the transfer that has ended: the request, and who is told of it.
  func letGo() throws(TransportError) {
    isUsed = true
    try unsafe set(CURLOPT_HTTPHEADER, list: nil)
    lines = nil
    if body != nil {
      try unsafe set(CURLOPT_POSTFIELDS, pointer: nil)
      body = nil
    }
    if !setForbidsReuse(false) { isLast = true }
    try Exchange.detach(from: self)
  }
}

// MARK: What is known of the last transfer

extension EasyHandle {
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe almanac_easy_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// Whether the connection of the running transfer carries several at once, as HTTP/2 does.
  ///
  /// A status line may name any version. Only a connection of HTTP/2 or later has a field for the status
  /// (RFC 9113 § 8.3.2).
  var isMultiplexed: Bool {
    var field: UnsafeMutablePointer<curl_header>?
    // Safe: what libcurl returns is not looked at.
    return unsafe curl_easy_header(pointer, ":status", 0, UInt32(CURLH_PSEUDO), -1, &field) == CURLHE_OK
  }

  func size(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return unsafe almanac_easy_get_size(pointer, info, &value) == CURLE_OK ? Int(value) : 0
  }
}
