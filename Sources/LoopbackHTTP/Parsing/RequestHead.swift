// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A request line with its header fields, validated by RFC 9112.
struct RequestHead {
  let method: HTTPMethod
  /// The target in origin form: path and query, with percent-encoding for the bytes forbidden by RFC 3986.
  let target: String
  /// The authority of a target in absolute form.
  let targetAuthority: String?
  let isVersion1Point0: Bool
  private(set) var fields: HTTPFields = [:]

  /// Parses a request line (RFC 9112 § 3).
  init(requestLine line: ArraySlice<UInt8>) throws(RequestFault) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenCharacter) else {
      throw RequestFault(400, "The request line is malformed.")
    }
    method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
    guard method != "CONNECT" else { throw RequestFault(501, "CONNECT is not implemented.") }
    guard parts[1].isTarget else { throw RequestFault(400, "The request target is malformed.") }
    switch String(decoding: parts[2], as: UTF8.self) {
    case "HTTP/1.1": isVersion1Point0 = false
    case "HTTP/1.0": isVersion1Point0 = true
    case let version:
      guard version.isHTTPVersion else { throw RequestFault(400, "The request line is malformed.") }
      throw RequestFault(505, "This version of HTTP is not supported.")
    }

    if parts[1].starts(with: "/".utf8) {
      target = URLText.escaped(parts[1])
      targetAuthority = nil
    } else if String(decoding: parts[1].prefix(7), as: UTF8.self).lowercasedASCII == "http://" {
      // § 3.2.2: a server accepts the absolute form.
      let rest = parts[1].dropFirst(7)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      let path = rest[authority.endIndex...]
      target = (path.starts(with: "/".utf8) ? "" : "/") + URLText.escaped(path)
      targetAuthority = String(decoding: authority, as: UTF8.self)
    } else {
      throw RequestFault(400, "The request target must be a path or an http URL.")
    }
  }

  /// Parses one field line, and adds its field (RFC 9112 § 5).
  mutating func addField(_ line: ArraySlice<UInt8>) throws(RequestFault) {
    let field = try Self.field(line)
    fields.append(field.name, field.value)
  }

  /// Parses a field line.
  static func field(_ line: ArraySlice<UInt8>) throws(RequestFault) -> HTTPFields.Field {
    do throws(FieldLineFault) {
      return try HTTPFields.Field(line: line)
    } catch {
      switch error {
      case .name: throw RequestFault(400, "A header field is malformed.")
      case .value: throw RequestFault(400, "The value of a header field contains bytes that HTTP does not allow.")
      }
    }
  }

  /// Whether the client requests the end of the connection after the response (RFC 9112 § 9.3).
  var asksToClose: Bool {
    isVersion1Point0 || fields.tokens(of: "Connection").contains("close")
  }

  /// Whether the client waits for permission to send the body (RFC 9110 § 10.1.1).
  var expectsContinue: Bool { !isVersion1Point0 && fields["Expect"] != nil }
}

extension RequestHead {
  /// The framing of a body.
  enum Framing {
    case none
    case length(Int)
    case chunked
  }

  /// Determines the framing of the body, and rejects ambiguous messages (RFC 9112 § 6).
  func framing(limit: Int) throws(RequestFault) -> Framing {
    let lengths = fields.values(for: "Content-Length")
    if fields["Transfer-Encoding"] != nil {
      guard lengths.isEmpty else {
        throw RequestFault(400, "Content-Length and Transfer-Encoding cannot be combined.")
      }
      let codings = fields.tokens(of: "Transfer-Encoding")
      guard !isVersion1Point0, codings.last == "chunked", !codings.dropLast().contains("chunked") else {
        throw RequestFault(400, "The transfer coding chunked must be the last one, and occur once.")
      }
      guard codings.count == 1 else { throw RequestFault(501, "The only supported transfer coding is chunked.") }
      return .chunked
    }
    guard let text = lengths.first else { return .none }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw RequestFault(400, "Content-Length must be one decimal number.")
    }
    guard let length = Int(text), length <= limit else { throw RequestFault(413, "The body is too large.") }
    return .length(length)
  }

  /// Checks the other requirements of RFC 9112 and RFC 9110, and that the request is meant for this server.
  ///
  /// - Parameter authorities: The values of `Host` for this server, in lower case.
  func check(authorities: Set<String>) throws(RequestFault) {
    let hosts = fields.values(for: "Host")
    guard hosts.count == 1 else { throw RequestFault(400, "A request must have exactly one Host field.") }
    guard authorities.contains(hosts[0].lowercasedASCII),
      targetAuthority.map({ authorities.contains($0.lowercasedASCII) }) ?? true
    else { throw RequestFault(421, "This server accepts requests for its own loopback address only.") }
    if expectsContinue {
      guard fields.values(for: "Expect").map({ $0.lowercasedASCII }) == ["100-continue"] else {
        throw RequestFault(417, "The only supported expectation is 100-continue.")
      }
    }
  }
}

extension HTTPFields {
  /// The members of a list field, in lower case.
  fileprivate func tokens(of name: String) -> [String] {
    values(for: name).flatMap { value in
      value.split(ascii: ",", omittingEmptySubsequences: false).map { member in
        var member = member
        while let character = member.first, character == " " || character == "\t" { member.removeFirst() }
        while let character = member.last, character == " " || character == "\t" { member.removeLast() }
        return member.lowercasedASCII
      }
    }
  }
}

extension String {
  /// Whether this is an HTTP version (RFC 9112 § 2.3), known or not.
  fileprivate var isHTTPVersion: Bool {
    let bytes = Array(utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return bytes.count == 8 && bytes.starts(with: "HTTP/".utf8) && digits.contains(bytes[5])
      && bytes[6] == UInt8(ascii: ".") && digits.contains(bytes[7])
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes can be a target without a fragment.
  ///
  /// Browsers send a `%` that begins no escape, and other bytes forbidden by RFC 3986. They are escaped later. Control
  /// characters are not allowed.
  fileprivate var isTarget: Bool {
    !isEmpty && allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }
  }
}

extension UInt8 {
  /// The value of an ASCII hex digit.
  var hexValue: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self) - 0x61 + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self) - 0x41 + 10
    default: nil
    }
  }
}
