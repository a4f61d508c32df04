// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// The target of a request, as an origin, path and query.
///
/// libcurl receives the origin used by all other code. Otherwise, its URL parser could find another host in the URL.
struct RequestTarget {
  let origin: Origin
  /// Path and query as they are in the URL, at least `/`.
  let pathAndQuery: String

  /// - Throws: `TransportError` with code `invalidRequest` if the host or the rest contains characters not allowed in a
  ///   URL.
  init(_ request: HTTPRequest) throws(TransportError) {
    var text = request.url.absoluteString
    // Safe: the span is used within the closure, for which its bytes are valid.
    guard text.withUTF8({ unsafe $0.span.isVisibleASCII }) else {
      throw TransportError(.invalidRequest, "The URL contains characters that must be percent-encoded. Encode them.")
    }
    guard let origin = request.origin, origin.host.utf8.allSatisfy(\.isHostCharacter) else {
      // FoundationEssentials percent-encodes an international domain name. Foundation converts it to its ASCII form.
      throw TransportError(
        .invalidRequest,
        """
        The URL's host is neither an ASCII name nor an IP address. Write an international domain name in its ASCII form \
        (xn--…).
        """)
    }
    self.origin = origin
    pathAndQuery = Self.pathAndQuery(of: text)
  }

  /// Returns the text after the authority, without the fragment.
  ///
  /// It begins with `/`.
  private static func pathAndQuery(of text: String) -> String {
    var text = text
    // Safe: the buffer is used within the closure, for which its bytes are valid.
    return text.withUTF8 { bytes in
      let colon = unsafe bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
      let authority = unsafe bytes[colon...].dropFirst(3)
      let start = unsafe authority.firstIndex { $0.endsAuthority } ?? bytes.endIndex
      let rest = unsafe bytes[start...].prefix { $0 != UInt8(ascii: "#") }
      let text = unsafe String(decoding: rest, as: UTF8.self)
      return unsafe rest.first == UInt8(ascii: "/") ? text : "/" + text
    }
  }
}

extension Span<UInt8> {
  /// Whether all bytes are visible ASCII characters.
  fileprivate var isVisibleASCII: Bool {
    // Without an early exit, the loop can compare many bytes at a time.
    var isVisible = true
    for index in indices where self[index] <= 0x20 || self[index] >= 0x7F { isVisible = false }
    return isVisible
  }
}

extension UInt8 {
  /// Whether the byte is allowed in a host name or an IP address.
  fileprivate var isHostCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
