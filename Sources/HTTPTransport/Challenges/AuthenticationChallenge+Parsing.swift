// SPDX-License-Identifier: Apache-2.0

extension AuthenticationChallenge {
  /// Reads the value of a field; what follows a mistake is left out.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value.
  static func list(_ value: String) -> [AuthenticationChallenge] {
    var parser = ChallengeParser(bytes: Array(value.utf8))
    var challenges: [AuthenticationChallenge] = []
    while let challenge = parser.next() { challenges.append(challenge) }
    return challenges
  }
}

/// Reads `1#challenge`, in which a comma may stand before a parameter or before the next challenge.
private struct ChallengeParser {
  let bytes: [UInt8]
  private var position = 0
  private var hasFailed = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> AuthenticationChallenge? {
    guard !hasFailed else { return nil }
    skipCommas()
    guard let scheme = token() else { return nil }
    // A scheme alone, or one with one space at least before what belongs to it.
    guard skipSpaces() else { return end(AuthenticationChallenge(scheme: scheme)) }
    if let data = token68() { return end(AuthenticationChallenge(scheme: scheme, token68: data)) }
    var parameters: [(name: String, value: String)] = []
    while true {
      let start = position
      if !parameters.isEmpty, !skipCommas() { break }
      guard let parameter = parameter() else {
        // It is the next challenge that begins here, or a mistake that it finds.
        position = start
        break
      }
      parameters.append(parameter)
    }
    return end(AuthenticationChallenge(scheme: scheme, parameters: parameters))
  }

  /// Notes whether the challenge ends where the value or a comma does.
  private mutating func end(_ challenge: AuthenticationChallenge) -> AuthenticationChallenge? {
    _ = skipSpaces()
    if let byte = current, byte != UInt8(ascii: ",") { hasFailed = true }
    // One that is cut in the middle of a parameter would lack what it says.
    return hasFailed ? nil : challenge
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

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
      guard current == UInt8(ascii: ",") else { return hasComma }
      position += 1
      hasComma = true
    }
  }

  private mutating func token() -> String? {
    let start = position
    while let byte = current, byte.isTokenCharacter { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// Reads data that the end of the challenge follows: anything else with a `=` in it is a parameter.
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
    guard let value = current == UInt8(ascii: "\"") ? quotedString() : token() else {
      hasFailed = true
      return nil
    }
    return (name, value)
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
  /// Whether the byte may stand in the data of a challenge
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
