// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

extension EasyHandle {
  /// The common settings of a handle's transfers, which are set once, for the first of them.
  struct Kind: Equatable {
    /// The transfer mode of the bodies.
    enum Mode: Equatable {
      /// Complete request and response.
      case whole
      /// Complete request, streamed response.
      case download
      /// Streamed request and response.
      case upload
    }

    let mode: Mode
    let isSecure: Bool
    let method: HTTPMethod
    /// Whether the requests have a body, including an empty one.
    let hasBody: Bool
    /// The URL of the proxy, before the exceptions, or `nil` for none.
    let proxy: String?

    /// Whether the connection to the proxy uses TLS.
    var isProxySecure: Bool { proxy?.lowercasedASCII.hasPrefix("https:") ?? false }

    /// Whether the request's body is streamed.
    var isUpload: Bool { mode == .upload }
  }

  /// Whether a proxy is configured.
  ///
  /// Hosts that the exceptions name are still requested directly.
  var hasProxy: Bool { kind.proxy != nil }

  /// Sets the common options of all transfers of the kind.
  func prepare(_ setup: Setup) throws(TransportError) {
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_PATH_AS_IS, 1)
    // Only the program may use signals, and a pending name lookup must not block the thread.
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    if let list = setup.codings.list { try set(CURLOPT_ACCEPT_ENCODING, list) }
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_NOPROGRESS, 0)
    if kind.isSecure || hasProxy { try prepare(setup.tls) }
    try prepareVersion()
    // Both are always set, so that libcurl never reads the environment itself.
    try set(CURLOPT_PROXY, kind.proxy ?? "")
    try set(CURLOPT_NOPROXY, hasProxy ? setup.proxy.exceptions : "")
    try prepareMethod()
  }

  private func prepareVersion() throws(TransportError) {
    guard kind.isSecure else { return try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) }
    guard kind.mode != .whole else {
      try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      // Requests wait until the first connection shows whether it can carry them all.
      return try set(CURLOPT_PIPEWAIT, 1)
    }
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    // libcurl would use a busy HTTP/1.1 connection for a request that may share an HTTP/2 connection. It does not do so between
    // requests with different TLS settings. The setting here names the same versions in another form.
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3)
  }

  private func prepareMethod() throws(TransportError) {
    let name = kind.method.rawValue
    if kind.isUpload {
      try set(CURLOPT_UPLOAD, 1)
      try set(CURLOPT_CUSTOMREQUEST, name)
    } else if kind.hasBody {
      if kind.method != .post { try set(CURLOPT_CUSTOMREQUEST, name) }
    } else if kind.method == .head {
      try set(CURLOPT_NOBODY, 1)
    } else if kind.method != .get {
      try set(CURLOPT_CUSTOMREQUEST, name)
    }
  }

  private func prepare(_ tls: TLSOptions) throws(TransportError) {
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    // A resumed session keeps the client certificate and the verification of an earlier connection, even if the files have
    // changed.
    try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    if let authorities = tls.authorities {
      try set(authorities, file: CURLOPT_CAINFO, bytes: CURLOPT_CAINFO_BLOB)
      try set(authorities, file: CURLOPT_PROXY_CAINFO, bytes: CURLOPT_PROXY_CAINFO_BLOB)
      // Otherwise, libcurl would still trust the folder that it was built with.
      try unset(CURLOPT_CAPATH)
      try unset(CURLOPT_PROXY_CAPATH)
    }
    if let client = tls.clientCertificate {
      try set(client.certificate, file: CURLOPT_SSLCERT, bytes: CURLOPT_SSLCERT_BLOB)
      try set(client.key, file: CURLOPT_SSLKEY, bytes: CURLOPT_SSLKEY_BLOB)
      if let password = client.password { try set(CURLOPT_KEYPASSWD, password) }
    }
  }

  private func set(_ pem: TLSOptions.PEM, file: CURLoption, bytes: CURLoption) throws(TransportError) {
    switch pem.source {
    case .file(let path): try set(file, path)
    case .bytes(let content): try set(bytes, blob: content)
    }
  }
}

extension EasyHandle {
  /// Whether the server has announced the end of the running transfer's TLS connection (close_notify,
  /// [RFC 8446 § 6.1](https://www.rfc-editor.org/rfc/rfc8446.html#section-6.1)).
  ///
  /// Without this message, an attacker on the network may have ended the connection. libcurl does not report the difference for
  /// OpenSSL. All other TLS libraries report an end without the message as an error.
  var hasCloseNotify: Bool {
    var session: UnsafeRawPointer?
    // Safe: the session is requested and used within a callback of the transfer that it belongs to.
    guard unsafe almanac_easy_get_openssl_session(pointer, &session), let session = unsafe session else { return true }
    guard let getShutdown = unsafe Self.getShutdown else { return false }
    let received: Int32 = 2  // SSL_RECEIVED_SHUTDOWN
    return unsafe getShutdown(session) & received != 0
  }

  /// Whether the TLS library may hold bytes of the running transfer's connection, unread by libcurl.
  ///
  /// libcurl would read these bytes as the beginning of the next response, and the socket does not show them. The value is
  /// `true` if this is unknown: with a TLS library other than OpenSSL, and for TLS within a proxy's TLS, whose session libcurl
  /// does not expose.
  var mayHoldUnreadBytes: Bool {
    guard kind.isSecure || kind.isProxySecure else { return false }
    guard !(kind.isSecure && kind.isProxySecure) else { return true }
    var session: UnsafeRawPointer?
    // Safe: as above.
    guard unsafe almanac_easy_get_openssl_session(pointer, &session) else { return true }
    guard let session = unsafe session else { return kind.isSecure }
    guard let hasPending = unsafe Self.hasPending else { return true }
    return unsafe hasPending(session) != 0
  }

  /// OpenSSL's functions, which stay loaded for the life of the process.
  private static let getShutdown = unsafe almanac_find_openssl_question("SSL_get_shutdown")
  private static let hasPending = unsafe almanac_find_openssl_question("SSL_has_pending")
}
