// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import PlatformFoundation

extension EasyHandle {
  /// The settings shared by all requests of a transport by reference.
  final class Setup: Sendable {
    let tls: TLSOptions
    let proxy: ProxyOptions
    let codings: AcceptedCodings
    /// The header lines for requests without these fields: none, `User-Agent`, `Accept-Encoding`, and both.
    private let lines: [HeaderLines?]
    private let hasWellFormedAgent: Bool

    init(tls: TLSOptions, proxy: ProxyOptions, codings: AcceptedCodings, userAgent: String?) {
      self.tls = tls
      self.proxy = proxy
      self.codings = codings
      hasWellFormedAgent = HTTPFields.Field(name: "User-Agent", value: userAgent ?? "").isWellFormed
      let agent = userAgent.map { ["User-Agent: \($0)"] } ?? []
      // libcurl itself would format this line slowly, and twice.
      let codings = codings.list.map { ["Accept-Encoding: \($0)"] } ?? []
      lines = [[], agent, codings, agent + codings].map { try? HeaderLines($0) }
    }

    /// Returns the lines for a request without these fields.
    ///
    /// - Throws: `TransportError` if there was no memory for them, or if the user agent would break out of its line.
    func lines(lacksAgent: Bool, lacksCodings: Bool) throws(TransportError) -> HeaderLines {
      guard !lacksAgent || hasWellFormedAgent else {
        throw TransportError(
          .invalidRequest, "The transport's user agent contains a control character. Create the transport without it.")
      }
      guard let lines = lines[(lacksAgent ? 1 : 0) + (lacksCodings ? 2 : 0)] else { throw .noMemory }
      return lines
    }
  }

  /// Sets the options of one request of a kind.
  ///
  /// - Parameters:
  ///   - body: The body of the request, unless it is streamed.
  ///   - length: The length of a streamed body, or `nil` if unknown.
  /// - Throws: `TransportError` if libcurl rejects a part of the request. Nothing is sent then.
  func carry(
    _ request: HTTPRequest, to target: RequestTarget, _ body: RequestBody?, streamedLength length: Int?, setup: Setup
  ) throws(TransportError) {
    try setTarget(target)
    if kind.isUpload {
      try set(CURLOPT_INFILESIZE_LARGE, size: length ?? -1)
    } else if let body {
      try setBody(body)
    }
    try setHeaderLines(headerLines(request, hasBody: kind.hasBody, setup: setup))
  }

  /// Returns the lines added by libcurl to the request, in its notation: `Name;` sends an empty field, and `Name:`
  /// sends none.
  ///
  /// `Name:` also suppresses libcurl's own fields, as it does for requests with a body.
  private func headerLines(
    _ request: HTTPRequest, hasBody: Bool, setup: Setup
  ) throws(TransportError) -> HeaderLines {
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
    let common = try setup.lines(lacksAgent: !hasAgent, lacksCodings: !hasCodings)
    return lines.isEmpty ? common : try HeaderLines(lines, then: common)
  }

  /// The fields that frame the message or concern the connection.
  ///
  /// libcurl sets the necessary ones.
  private static let framingFields = [
    "Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "HTTP2-Settings", "Keep-Alive",
    "Proxy-Connection", "TE", "Trailer",
  ]
}

/// The body of a request at a fixed address, where libcurl reads it.
///
/// It is a copy. The task makes the copy, so a large body does not block the transport's thread.
///
/// The pointer can be used on another thread, because nothing writes to the bytes after `init`. `@safe` because they are valid
/// from `init` to `deinit`.
@safe
final class RequestBody: Sendable {
  /// The bytes.
  ///
  /// The pointer is never NULL, which libcurl does not treat as an empty body.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// Copies the body of `request`, including an empty one, or returns `nil` if it has none.
  init?(_ request: HTTPRequest) {
    guard let body = request.body ?? (request.method.takesBody ? [] : nil) else { return nil }
    let start = UnsafeMutableRawPointer.allocate(byteCount: max(1, body.count), alignment: 1)
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: body.count)
    unsafe bytes.copyBytes(from: body)
  }

  deinit { unsafe bytes.baseAddress?.deallocate() }
}

extension HTTPMethod {
  /// Whether a request without a body has `Content-Length: 0` (RFC 9110 § 8.6).
  fileprivate var takesBody: Bool { self == .post || self == .put || self == .patch }
}
