// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A scheme, host and port: the unit within which a credential may travel
/// ([RFC 6454](https://www.rfc-editor.org/rfc/rfc6454.html)).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case, an IPv6 address without brackets.
  public let host: String
  /// The port, the scheme's default filled in.
  public let port: Int

  /// The origin of an absolute http or https URL; `nil` for any other.
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

  /// The origin of an absolute http or https URL; `nil` for any other.
  public init?(_ string: String) {
    guard let url = URL(string: string) else { return nil }
    self.init(url)
  }

  /// Whether the host is a loopback address: `127.0.0.0/8`, `::1` or `localhost`.
  public var isLoopback: Bool {
    if host == "::1" || host == "localhost" { return true }
    guard host.utf8.starts(with: "127.".utf8) else { return false }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      // A number has one spelling: many readers take one with a zero in front for octal.
      && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
  }

  /// Whether no proxy may come between: the host is this machine, or answers for the machine that asks, as the metadata servers of
  /// clouds do at their link-local addresses.
  ///
  /// A proxy would see the tokens in their responses, and could respond with its own.
  package var isBeyondProxies: Bool {
    isLoopback || host.hasPrefix("169.254.") || host == "fd20:ce::254" || host == "metadata.google.internal"
  }

  /// Whether a secret may be sent there: https, or http that does not leave the machine.
  public var isSecure: Bool { scheme == "https" || isLoopback }

  /// Scheme, host and, unless it is the scheme's own, port.
  public var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}

extension Unicode.Scalar {
  /// Whether a host may hold the character once it is percent-decoded.
  ///
  /// What a terminal obeys and what ends a host in a URL is refused
  /// ([WHATWG URL § 3.2](https://url.spec.whatwg.org/#forbidden-host-code-point)).
  fileprivate var isAllowedInHost: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: !"#/<>?@[\\]^|".unicodeScalars.contains(self)
    }
  }
}
