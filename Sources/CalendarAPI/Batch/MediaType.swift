// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The value of `Content-Type` ([RFC 9110 § 8.3.1](https://www.rfc-editor.org/rfc/rfc9110.html#section-8.3.1)).
struct MediaType {
  /// Type and subtype, in lower case.
  let name: String
  /// The parameters, with their names in lower case.
  ///
  /// A repeated name makes the value of `Content-Type` invalid.
  private var parameters: [String: String] = [:]

  /// Reads a value, or returns `nil` if it is malformed.
  init?(_ text: String) {
    var rest = text.utf8[...]
    name = String(Substring(rest.prefix { $0 != UInt8(ascii: ";") && $0 != .space && $0 != .tab })).lowercasedASCII
    rest = rest.dropFirst(name.utf8.count)
    while true {
      rest = rest.drop { $0 == .space || $0 == .tab }
      if rest.isEmpty { return }
      guard rest.removeFirst() == UInt8(ascii: ";") else { return nil }
      rest = rest.drop { $0 == .space || $0 == .tab }
      if rest.isEmpty { return }
      let key = String(Substring(rest.prefix(while: \.isTokenCharacter))).lowercasedASCII
      rest = rest.dropFirst(key.utf8.count)
      guard !key.isEmpty, rest.popFirst() == UInt8(ascii: "="), parameters[key] == nil, let value = Self.value(&rest)
      else { return nil }
      parameters[key] = value
    }
  }

  /// Reads the value of a parameter, quoted or up to the next parameter.
  private static func value(_ rest: inout Substring.UTF8View) -> String? {
    guard rest.first == UInt8(ascii: "\"") else {
      // The prefix can be longer than a token: some servers send boundaries with "=" unquoted.
      let value = rest.prefix { $0 != UInt8(ascii: ";") && $0 != .space && $0 != .tab && $0 != UInt8(ascii: "\"") }
      rest = rest.dropFirst(value.count)
      return value.isEmpty ? nil : String(Substring(value))
    }
    rest.removeFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(validating: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      default: value.append(byte)
      }
    }
    return nil
  }

  /// The boundary of `multipart/mixed`, or `nil` if the type differs or the boundary is not allowed
  /// ([RFC 2046 § 5.1.1](https://www.rfc-editor.org/rfc/rfc2046.html#section-5.1.1)).
  var multipartBoundary: String? {
    guard name == "multipart/mixed", let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count),
      boundary.utf8.last != .space
    else { return nil }
    let isAllowed = boundary.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "'()+_,-./:=? ".utf8.contains(byte)
      }
    }
    return isAllowed ? boundary : nil
  }
}
