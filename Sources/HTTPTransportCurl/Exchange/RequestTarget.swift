// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The URL of a request as libcurl gets it, so that two URL parsers cannot see two hosts in it: it is plain, or it is put
/// together from the origin that all other code goes by.
struct RequestTarget {
  let origin: Origin
  let url: String

  /// - Throws: `TransportError` with code `invalidRequest` if the host or the rest has characters that a URL cannot have.
  init(_ url: URL) throws(TransportError) {
    let text = url.absoluteString
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw TransportError(.invalidRequest, "The URL has characters that are not percent-encoded.")
    }
    if let origin = Origin(plain: text) {
      self.origin = origin
      let end = text.utf8.firstIndex(of: UInt8(ascii: "#"))
      self.url = end.map { String(text[..<$0]) } ?? text
    } else {
      guard let origin = Origin(url), origin.host.utf8.allSatisfy(\.isHostCharacter) else {
        throw TransportError(.invalidRequest, "The host of the URL is not a name in ASCII or an IP address.")
      }
      self.origin = origin
      self.url = origin.description + Self.pathAndQuery(of: text)
    }
  }

  /// What follows the authority, without the fragment; it begins with `/`.
  private static func pathAndQuery(of text: String) -> String {
    let bytes = text.utf8
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.startIndex
    let authority = bytes[colon...].dropFirst(3)
    let start = authority.firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    let rest = bytes[start...].prefix { $0 != UInt8(ascii: "#") }
    return rest.first == UInt8(ascii: "/")
      ? String(text[rest.startIndex..<rest.endIndex])
      : "/" + text[rest.startIndex..<rest.endIndex]
  }
}

extension UInt8 {
  /// Whether the byte may stand in a host name or an IP address.
  fileprivate var isHostCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
