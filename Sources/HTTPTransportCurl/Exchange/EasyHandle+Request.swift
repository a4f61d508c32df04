// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EasyHandle {
  /// What is the same for all requests of a transport, which pass it on by reference.
  final class Setup: Sendable {
    let tls: TLSOptions
    let proxy: ProxyOptions
    let codings: AcceptedCodings
    /// The lines that requests have which do not have the fields themselves: of none of the two, of `User-Agent`, of
    /// `Accept-Encoding`, and of both.
    private let lines: [HeaderLines]

    init(tls: TLSOptions, proxy: ProxyOptions, codings: AcceptedCodings, userAgent: String?) {
      self.tls = tls
      self.proxy = proxy
      self.codings = codings
      let agent = userAgent.map { ["User-Agent: \($0)"] } ?? []
      // libcurl would write it twice, and slowly.
      let codings = codings.list.map { ["Accept-Encoding: \($0)"] } ?? []
      lines = [[], agent, codings, agent + codings].map { HeaderLines($0) }
    }

    /// The lines for a request that lacks these fields.
    func lines(lacksAgent: Bool, lacksCodings: Bool) -> HeaderLines {
      lines[(lacksAgent ? 1 : 0) + (lacksCodings ? 2 : 0)]
    }
  }

  /// How the body of an exchange travels.
  enum Mode {
    /// Request and response are complete.
    case whole
    /// The response is streamed; so is the request's body, with this length if it is known.
    case streamed(hasBody: Bool, length: Int?)
  }

  /// Sets the handle up for one request.
  ///
  /// - Parameter body: The body of the request, unless it is streamed.
  func prepare(_ request: HTTPRequest, to target: RequestTarget, _ body: RequestBody?, _ mode: Mode, setup: Setup) {
    setErrorBuffer()
    setURL(target.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_PATH_AS_IS, 1)
    // Signals belong to the program; and a name that is still being looked up must not hold up the thread.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    if let list = setup.codings.list { set(CURLOPT_ACCEPT_ENCODING, list) }
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    let proxy = setup.proxy.proxy(for: target.origin)
    hasProxy = proxy != nil
    if target.origin.scheme == "https" || hasProxy { prepare(setup.tls) }
    if target.origin.scheme == "https" {
      switch mode {
      case .whole:
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Requests wait for the first connection to tell whether it can carry them all.
        set(CURLOPT_PIPEWAIT, 1)
      case .streamed:
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        // libcurl would give a connection of HTTP/1.1 that is in use to a request that may share one of HTTP/2. It never gives
        // one to a request with other TLS settings, so these say the same in other words.
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3)
      }
    } else {
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    }
    // Both are always set, so that libcurl never reads the environment itself.
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_NOPROXY, hasProxy ? setup.proxy.exceptions : "")
    let hasBody = prepareMethod(request, body, mode)
    setHeaderLines(headerLines(request, hasBody: hasBody, setup: setup))
  }

  /// - Returns: Whether the request has a body, be it an empty one.
  private func prepareMethod(_ request: HTTPRequest, _ body: RequestBody?, _ mode: Mode) -> Bool {
    if case .streamed(true, let length) = mode {
      set(CURLOPT_UPLOAD, 1)
      set(CURLOPT_INFILESIZE_LARGE, size: length ?? -1)
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      return true
    }
    if let body {
      setBody(body)
      if request.method != .post { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
      return true
    }
    if request.method == .head {
      set(CURLOPT_NOBODY, 1)
    } else if request.method != .get {
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    return false
  }

  private func prepare(_ tls: TLSOptions) {
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if let authorities = tls.authorities {
      set(authorities, file: CURLOPT_CAINFO, bytes: CURLOPT_CAINFO_BLOB)
      set(authorities, file: CURLOPT_PROXY_CAINFO, bytes: CURLOPT_PROXY_CAINFO_BLOB)
      // Else libcurl would go on trusting the folder that it was built with.
      unset(CURLOPT_CAPATH)
      unset(CURLOPT_PROXY_CAPATH)
    }
    if let client = tls.clientCertificate {
      set(client.certificate, file: CURLOPT_SSLCERT, bytes: CURLOPT_SSLCERT_BLOB)
      set(client.key, file: CURLOPT_SSLKEY, bytes: CURLOPT_SSLKEY_BLOB)
      if let password = client.password { set(CURLOPT_KEYPASSWD, password) }
    }
  }

  private func set(_ pem: TLSOptions.PEM, file: CURLoption, bytes: CURLoption) {
    switch pem.source {
    case .file(let path): set(file, path)
    case .bytes(let content): set(bytes, blob: content)
    }
  }

  /// The lines that libcurl adds to the request, in its notation: `Name;` sends an empty field, `Name:` sends none, also
  /// where libcurl would by itself, as it does for requests with a body.
  private func headerLines(_ request: HTTPRequest, hasBody: Bool, setup: Setup) -> HeaderLines {
    var lines: [String] = []
    var hasType = false
    var hasAgent = false
    var hasCodings = false
    for field in request.fields where !Self.framingFields.contains(where: field.name.equalsIgnoringCase) {
      lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      hasType = hasType || field.name.equalsIgnoringCase("Content-Type")
      hasAgent = hasAgent || field.name.equalsIgnoringCase("User-Agent")
      hasCodings = hasCodings || field.name.equalsIgnoringCase("Accept-Encoding")
    }
    if hasBody {
      lines.append("Expect:")
      if !hasType { lines.append("Content-Type:") }
    }
    let common = setup.lines(lacksAgent: !hasAgent, lacksCodings: !hasCodings)
    return lines.isEmpty ? common : HeaderLines(lines, then: common)
  }

  /// The fields that frame the message or concern the connection.
  ///
  /// libcurl sets what is needed of them.
  private static let framingFields = [
    "Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "HTTP2-Settings", "Keep-Alive",
    "Proxy-Connection", "TE", "Trailer",
  ]
}
