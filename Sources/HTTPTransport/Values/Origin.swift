// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// A scheme, host and port: the boundary within which a credential is sent
/// ([RFC 6454](https://www.rfc-editor.org/rfc/rfc6454.html)).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case, an IPv6 address without brackets.
  public let host: String
  /// The port, or the scheme's default if the URL has none.
  public let port: Int

  /// Creates the origin of an absolute http or https URL, or `nil` for any other URL.
  public init?(_ url: URL) {
    if let plain = Origin(plain: url.absoluteString) {
      self = plain
      return
    }
    guard let scheme = url.scheme?.lowercasedASCII, scheme == "http" || scheme == "https",
      var host = url.host(percentEncoded: false)?.lowercasedASCII, !host.isEmpty
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard host.unicodeScalars.allSatisfy(\.isAllowedInHost) else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = url.port ?? (scheme == "https" ? 443 : 80)
  }

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Creates the origin of an absolute http or https URL, or `nil` for any other URL.
  public init?(_ string: String) {
    guard let url = URL(string: string) else { return nil }
    self.init(url)
  }

  /// Whether the host is a loopback address: `127.0.0.0/8`, `::1` or `localhost`.
  public var isLoopback: Bool {
    if host == "::1" || host == "localhost" { return true }
    guard host.utf8.starts(with: "127.".utf8) else { return false }
    let parts = host.split(ascii: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      // A number has one accepted spelling: many parsers read a leading zero as octal.
      && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
  }

  /// Whether requests bypass proxies: the host is a loopback address, an IPv4 link-local address or a cloud's metadata server.
  ///
  /// A proxy would see the tokens in the metadata server's responses, and could respond with its own.
  package var isBeyondProxies: Bool {
    isLoopback || host.hasPrefix("169.254.")
      || ["fd20:ce::254", "fd00:ec2::254", "metadata.google.internal"].contains(host)
  }

  /// Whether a secret may be sent to the origin: it uses https, or http that does not leave the machine.
  public var isSecure: Bool { scheme == "https" || isLoopback }

  /// Scheme, host and, unless it is the scheme's default, port.
  public var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}

extension Unicode.Scalar {
  /// Whether a host may contain the character after percent-decoding.
  ///
  /// Characters that control a terminal or end a host in a URL are rejected
  /// ([WHATWG URL § 3.2](https://url.spec.whatwg.org/#forbidden-host-code-point)).
  fileprivate var isAllowedInHost: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: !"#/<>?@[\\]^|".unicodeScalars.contains(self)
    }
  }
}

extension Origin {
  /// Parses the origin of a URL in the most common form: `http://` or `https://`, a host of lower-case letters, digits, `-`,
  /// `.` and `_`, and optionally a port of one to five digits.
  ///
  /// A parser for every form costs several times as much. All parsers agree on the host of this form: it has no user name,
  /// escape or bracket.
  ///
  /// - Parameter text: An absolute URL.
  /// - Returns: The origin, or `nil` if the URL has another form and must be parsed by `URL`.
  package init?(plain text: String) {
    var text = text
    // Safe: the span and the buffer are used within the closure, for which their bytes are valid. A plain host is ASCII.
    let origin = text.withUTF8 { bytes -> Origin? in
      guard let (isSecure, host, port) = unsafe Self.plainParts(bytes.span) else { return nil }
      let name = unsafe String(decoding: bytes[host], as: UTF8.self)
      return Origin(scheme: isSecure ? "https" : "http", host: name, port: port)
    }
    guard let origin else { return nil }
    self = origin
  }

  private static func plainParts(_ text: Span<UInt8>) -> (isSecure: Bool, host: Range<Int>, port: Int)? {
    let isSecure = text.hasPrefix("https://")
    guard isSecure || text.hasPrefix("http://") else { return nil }
    let start = isSecure ? 8 : 7
    var end = start
    while end < text.count, text[end].isPlainHostCharacter { end += 1 }
    guard end > start else { return nil }
    var port = isSecure ? 443 : 80
    var index = end
    if index < text.count, text[index] == UInt8(ascii: ":") {
      index += 1
      let digits = index
      port = 0
      while index < text.count, index - digits < 5, text[index] >= 0x30, text[index] <= 0x39 {
        port = port * 10 + Int(text[index] - 0x30)
        index += 1
      }
      guard index > digits, text[digits] != 0x30, port <= 65_535 else { return nil }
    }
    guard index == text.count || text[index].endsAuthority else { return nil }
    return (isSecure, start..<end, port)
  }
}

extension Span<UInt8> {
  fileprivate func hasPrefix(_ prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    // Safe: a literal has the number of bytes that it states.
    let prefix = unsafe UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    for index in prefix.indices { guard unsafe prefix[index] == self[index] else { return false } }
    return true
  }
}

extension UInt8 {
  /// Whether the byte ends the authority of a URL.
  package var endsAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }

  fileprivate var isPlainHostCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
