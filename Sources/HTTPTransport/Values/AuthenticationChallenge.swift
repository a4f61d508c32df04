// SPDX-License-Identifier: Apache-2.0

/// An authentication challenge of a `WWW-Authenticate` field
/// ([RFC 9110 § 11.6.1](https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1)).
///
/// ```swift
/// for challenge in response.fields.authenticationChallenges where challenge.hasScheme("Bearer") {
///   print(challenge["scope"] ?? "")
/// }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as received, such as `Bearer`.
  public let scheme: String
  /// The data of schemes such as `Negotiate` in place of parameters.
  public let token68: String?
  /// The parameters, in order.
  public let parameters: [(name: String, value: String)]

  /// Creates a challenge.
  public init(scheme: String, token68: String? = nil, parameters: [(name: String, value: String)] = []) {
    self.scheme = scheme
    self.token68 = token68
    self.parameters = parameters
  }

  /// Returns whether the challenge has a scheme, compared without regard to case.
  public func hasScheme(_ scheme: String) -> Bool { self.scheme.equalsIgnoringCase(scheme) }

  /// The value of a parameter, whose name is compared without regard to case.
  ///
  /// It is `nil` if the parameter is missing, or if it occurs more than once and is therefore ambiguous.
  public subscript(name: String) -> String? {
    let found = parameters.filter { $0.name.equalsIgnoringCase(name) }
    return found.count == 1 ? found[0].value : nil
  }
}

extension AuthenticationChallenge {
  /// Compares the parts exactly, with regard to case.
  public static func == (left: AuthenticationChallenge, right: AuthenticationChallenge) -> Bool {
    left.scheme == right.scheme && left.token68 == right.token68
      && left.parameters.elementsEqual(right.parameters) { $0.name == $1.name && $0.value == $1.value }
  }

  /// Hashes the parts exactly, with regard to case.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(token68)
    for (name, value) in parameters {
      hasher.combine(name)
      hasher.combine(value)
    }
  }
}

extension HTTPFields {
  /// The challenges of every `WWW-Authenticate` field, in order.
  ///
  /// A field may contain several challenges, and a server may send several fields. A malformed challenge and the rest of its
  /// field are ignored.
  public var authenticationChallenges: [AuthenticationChallenge] {
    values(for: "WWW-Authenticate").flatMap(AuthenticationChallenge.list)
  }
}

extension AuthenticationChallenge {
  /// Parses the value of a field.
  ///
  /// A malformed challenge and the rest of the value are ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value.
  static func list(_ value: String) -> [AuthenticationChallenge] {
    var parser = ChallengeParser(bytes: Array(value.utf8))
    var challenges: [AuthenticationChallenge] = []
    while let challenge = parser.next() { challenges.append(challenge) }
    return challenges
  }
}

/// A parser of `1#challenge`, in which a comma can precede a parameter or the next challenge.
///
/// It also reads three deviations of servers whose meaning is unambiguous: a value in single quotes, an unquoted URL, and spaces or a
/// semicolon in place of a comma.
private struct ChallengeParser {
  let bytes: [UInt8]
  /// Whether no closing single quote follows.
  private var hasNoSingleQuote = false
  private var position = 0
  private var hasFailed = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> AuthenticationChallenge? {
    guard !hasFailed else { return nil }
    skipCommas()
    guard let scheme = token() else { return nil }
    // A scheme alone, or a scheme followed by at least one space.
    guard skipSpaces() else { return end(AuthenticationChallenge(scheme: scheme)) }
    if let data = token68() { return end(AuthenticationChallenge(scheme: scheme, token68: data)) }
    var parameters: [(name: String, value: String)] = []
    while true {
      let start = position
      if !parameters.isEmpty, !skipCommas(), position == start { break }
      guard let parameter = parameter() else {
        // The next challenge begins here. If none does, `end` detects the fault.
        position = start
        break
      }
      parameters.append(parameter)
    }
    return end(AuthenticationChallenge(scheme: scheme, parameters: parameters))
  }

  /// Checks that the challenge ends at a comma, at the next challenge or at the end of the value.
  private mutating func end(_ challenge: AuthenticationChallenge) -> AuthenticationChallenge? {
    let hasSpace = skipSpaces()
    if current != nil, !isAtComma, !(hasSpace && isAtChallenge) { hasFailed = true }
    // A challenge that is cut off within a parameter would lack part of its meaning.
    return hasFailed ? nil : challenge
  }

  /// Whether a comma, a parameter, a challenge or nothing follows.
  private var isAtSeparator: Bool {
    var next = self
    guard next.skipSpaces(), next.current != nil, !next.isAtComma else {
      return next.current == nil || next.isAtComma
    }
    if next.isAtChallenge { return true }
    guard next.token() != nil else { return false }
    _ = next.skipSpaces()
    return next.current == UInt8(ascii: "=")
  }

  /// Whether a scheme with a parameter follows.
  private var isAtChallenge: Bool {
    var next = self
    guard next.token() != nil, next.skipSpaces(), next.token() != nil else { return false }
    _ = next.skipSpaces()
    return next.current == UInt8(ascii: "=")
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether a comma follows, or a semicolon, which some servers write in its place.
  private var isAtComma: Bool { current == UInt8(ascii: ",") || current == UInt8(ascii: ";") }

  private mutating func skipSpaces() -> Bool {
    let start = position
    while current == 0x20 || current == 0x09 { position += 1 }
    return position > start
  }

  /// Skips commas with the spaces around them, and returns whether there was one.
  @discardableResult
  private mutating func skipCommas() -> Bool {
    var hasComma = false
    while true {
      _ = skipSpaces()
      guard isAtComma else { return hasComma }
      position += 1
      hasComma = true
    }
  }

  private mutating func token() -> String? {
    let start = position
    while let byte = current, byte.isTokenCharacter { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// Reads data that ends the challenge.
  ///
  /// Otherwise, a `=` belongs to a parameter.
  private mutating func token68() -> String? {
    let start = position
    while let byte = current, byte.isToken68Character { position += 1 }
    let hasText = position > start
    while current == UInt8(ascii: "=") { position += 1 }
    let end = position
    _ = skipSpaces()
    guard hasText, current == nil || current == UInt8(ascii: ",") else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func parameter() -> (name: String, value: String)? {
    guard let name = token() else { return nil }
    _ = skipSpaces()
    guard current == UInt8(ascii: "=") else { return nil }
    position += 1
    _ = skipSpaces()
    let value =
      switch current {
      case UInt8(ascii: "\""): quotedString()
      case UInt8(ascii: "'"): singleQuotedString() ?? unquotedValue()
      default: unquotedValue()
      }
    guard let value else {
      hasFailed = true
      return nil
    }
    return (name, value)
  }

  /// Reads a token, or an unquoted URL.
  private mutating func unquotedValue() -> String? {
    let start = position
    while let byte = current, byte.isTokenCharacter || (position > start && ":/?@=".utf8.contains(byte)) {
      position += 1
    }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// Reads a value up to the first single quote before a separator, or returns `nil` if there is none, since a token
  /// can begin with one.
  private mutating func singleQuotedString() -> String? {
    guard !hasNoSingleQuote else { return nil }
    for index in position + 1..<bytes.count where bytes[index] == UInt8(ascii: "'") {
      var next = self
      next.position = index + 1
      guard next.isAtSeparator else { continue }
      defer { position = index + 1 }
      return String(decoding: bytes[position + 1..<index], as: UTF8.self)
    }
    hasNoSingleQuote = true
    return nil
  }

  /// Reads a quoted string ([RFC 9110 § 5.6.4](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.4)).
  private mutating func quotedString() -> String? {
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = current else { return nil }
        position += 1
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return nil
  }
}

extension UInt8 {
  /// Whether the byte is allowed in the data of a challenge
  /// ([RFC 9110 § 11.2](https://www.rfc-editor.org/rfc/rfc9110.html#section-11.2)).
  fileprivate var isToken68Character: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
