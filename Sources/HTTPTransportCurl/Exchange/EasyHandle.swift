// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// The owner of a libcurl easy handle, which carries out one transfer after another.
///
/// All its transfers are of one kind, so the options of one cannot change what another sends. A handle carries out another
/// transfer only if the last one succeeded.
///
/// `@safe` because only the transport's thread uses it, and the pointers are valid from `init` to `deinit`.
@safe
final class EasyHandle {
  /// The common settings of the handle's transfers.
  let kind: Kind
  /// libcurl's handle.
  let pointer: UnsafeMutableRawPointer
  /// The buffer for libcurl's error text.
  private let errorBuffer: UnsafeMutablePointer<CChar>
  /// The origin of the last request, unless there is a proxy.
  private var origin: Origin?
  /// Path and query of the last request, unless there is a proxy.
  private var pathAndQuery: String?
  /// The parsed URL, or `nil` if there is none.
  private var url: OpaquePointer?
  /// The header lines added by libcurl to the request.
  private var lines: HeaderLines?
  /// The body, unless it is streamed.
  private var body: RequestBody?
  /// Whether libcurl closes the connection at the end of the transfer.
  private var forbidsReuse = false
  /// Whether libcurl passes the lines of a response's head to the callback for bodies.
  private var showsHead = false
  /// Whether the handle carries out no further transfer.
  private(set) var isLast: Bool
  /// Whether the handle has carried out a transfer.
  private(set) var isUsed = false

  /// Creates a handle.
  ///
  /// - Throws: `TransportError` if there is no memory, or libcurl rejects an option.
  init(_ kind: Kind, setup: Setup) throws(TransportError) {
    guard let pointer = unsafe almanac_curl_easy_init() else { throw .noMemory }
    self.kind = kind
    // A streamed body can be paused, and the handle would keep that state.
    isLast = kind.mode != .whole
    unsafe self.pointer = pointer
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    try prepare(setup)
  }

  deinit {
    // Safe: nothing uses the handle any more. The transport's thread removes it from libcurl's transfers before it releases it.
    unsafe almanac_curl_easy_cleanup(pointer)
    unsafe almanac_curl_url_cleanup(url)
    unsafe errorBuffer.deallocate()
  }

  /// libcurl's text for the last error.
  var errorText: String { unsafe String(cString: errorBuffer) }
}

// MARK: The current transfer

extension EasyHandle {
  /// Sets the target of the request.
  ///
  /// libcurl would parse the URL for each request, and format path and query one character at a time. This method therefore
  /// passes the URL of the origin, which stays set for the next request, and path and query in the form in which they are sent.
  /// For a URL of 180 characters, this saves a fifth of all instructions of a request. With a proxy, it passes the whole URL.
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

  /// Sets the URL as text and in parsed form.
  ///
  /// If only the text is set, libcurl before 8.12 parses the URL and then formats it again.
  private func setURL(_ text: String) throws(TransportError) {
    try set(CURLOPT_URL, text)
    let parsed = unsafe almanac_curl_url()
    // A URL that libcurl cannot parse is reported when the transfer starts.
    let isParsed = unsafe almanac_curl_url_set(parsed, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK
    let pointer = unsafe isParsed ? UnsafeMutableRawPointer(parsed) : nil
    // Safe: the previous URL is freed only after libcurl has another one or none.
    do throws(TransportError) {
      try unsafe set(CURLOPT_CURLU, pointer: pointer)
    } catch {
      unsafe almanac_curl_url_cleanup(parsed)
      throw error
    }
    unsafe almanac_curl_url_cleanup(url)
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

  /// Makes libcurl close the connection at the end of the transfer, which is the handle's last.
  ///
  /// An HTTP/2 connection in use by other transfers stays open.
  ///
  /// - Returns: Whether libcurl accepted the setting.
  func forbidReuse() -> Bool {
    isLast = true
    return setForbidsReuse(true)
  }

  /// Makes libcurl close the connection at the end of the transfer, or keep it.
  ///
  /// - Returns: Whether libcurl accepted the setting.
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

  /// Makes libcurl pass each line of a response's head to the callback for bodies before it reads the line itself.
  func setShowsHead(_ shows: Bool) {
    guard shows != showsHead else { return }
    do throws(TransportError) {
      try set(CURLOPT_HEADER, shows ? 1 : 0)
      showsHead = shows
    } catch {
      isLast = true
    }
  }

  /// Sets the argument of libcurl's callbacks, or `nil` for none.
  func setCallbackArgument(_ argument: UnsafeMutableRawPointer?) throws(TransportError) {
    for option in [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_PREREQDATA,
    ] {
      try unsafe set(option, pointer: argument)
    }
    if kind.isUpload { try unsafe set(CURLOPT_READDATA, pointer: argument) }
  }

  /// Releases the request and the callbacks' argument of the ended transfer.
  func letGo() throws(TransportError) {
    isUsed = true
    try unsafe set(CURLOPT_HTTPHEADER, list: nil)
    lines = nil
    if body != nil {
      try unsafe set(CURLOPT_POSTFIELDS, pointer: nil)
      body = nil
    }
    if !setForbidsReuse(false) { isLast = true }
    try unsafe setCallbackArgument(nil)
  }
}

// MARK: The last transfer

extension EasyHandle {
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe almanac_easy_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// Whether the running transfer's connection carries several transfers at once, as HTTP/2 does.
  ///
  /// A status line can contain any version. Only HTTP/2 and later have a header field for the status (RFC 9113 § 8.3.2).
  var isMultiplexed: Bool {
    var field: UnsafeMutablePointer<curl_header>?
    // Safe: the returned pointer is not used.
    return unsafe almanac_curl_easy_header(pointer, ":status", 0, UInt32(CURLH_PSEUDO), -1, &field) == CURLHE_OK
  }

  func size(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return unsafe almanac_easy_get_size(pointer, info, &value) == CURLE_OK ? Int(value) : 0
  }
}

/// The libcurl handles of finished transfers, for further transfers of the same kind.
///
/// Creating and freeing a handle takes a tenth of the time of a transfer.
struct KeptHandles {
  /// Whether libcurl discards the fields of a transfer when the next one begins.
  ///
  /// If a head begins with a continuation line, libcurl before 8.1 reads the last field of the previous head, which it has
  /// freed.
  private static let forgetsFields: Bool = {
    // Safe: libcurl returns a structure that it never frees.
    unsafe almanac_curl_version_info(CURLVERSION_FIRST).pointee.version_num >= 0x080100
  }()

  /// The maximum number of kept handles.
  private let limit: Int
  /// The handles, the most recently used one last.
  private var handles: [EasyHandle] = []

  init(limit: Int) { self.limit = limit }

  /// Returns a kept handle of this kind, or creates one.
  ///
  /// - Throws: `TransportError` if there is no memory for it, or libcurl rejects an option.
  mutating func take(_ kind: EasyHandle.Kind, setup: EasyHandle.Setup) throws(TransportError) -> EasyHandle {
    if let index = handles.lastIndex(where: { $0.kind == kind }) { return handles.remove(at: index) }
    let handle = try EasyHandle(kind, setup: setup)
    try Transfer.setCallbacks(of: handle)
    return handle
  }

  /// Keeps a handle whose transfer succeeded, unless the transfer was its last.
  mutating func keep(_ handle: EasyHandle) {
    guard !handle.isLast, (try? handle.letGo()) != nil else { return }
    // The exchange then receives a continuation line before libcurl parses it.
    if !Self.forgetsFields { handle.setShowsHead(true) }
    guard !handle.isLast else { return }
    if handles.count >= limit { handles.removeFirst() }
    handles.append(handle)
  }

  mutating func removeAll() { handles.removeAll() }
}
