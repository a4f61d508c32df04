// SPDX-License-Identifier: Apache-2.0

/// The URL-safe Base64 encoding without padding, as used by JOSE and PKCE
/// ([RFC 7515 § 2](https://www.rfc-editor.org/rfc/rfc7515.html#section-2)).
public enum Base64URL {
  /// Encodes `bytes` as text of `⌈4n/3⌉` characters.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = (buffer << 8 | UInt32(byte)) & 0xFFFF
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(buffer >> UInt32(bits) & 0x3F)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns Base64 text in the alphabet for URLs and without padding.
  static func respelled(_ text: String) -> String {
    String(text.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" })
  }

  /// Decodes `text`, or returns `nil` if ``encode(_:)`` would not produce it.
  ///
  /// Padding, whitespace, characters of another alphabet, impossible lengths and leftover bits other than zero are rejected, so
  /// each value has only one encoded form.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    let decoded = text.utf8.withContiguousStorageIfAvailable { unsafe decode($0.span) }
    return decoded ?? decode(Array(text.utf8).span)
  }

  /// Decodes the characters' ASCII.
  static func decode(_ characters: ArraySlice<UInt8>) -> [UInt8]? { decode(characters.span) }

  private static func decode(_ characters: Span<UInt8>) -> [UInt8]? {
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count * 3 / 4)
    var index = 0
    while characters.count - index >= 4 {
      let group = (
        values[Int(characters[index])], values[Int(characters[index + 1])],
        values[Int(characters[index + 2])], values[Int(characters[index + 3])]
      )
      guard group.0 | group.1 | group.2 | group.3 < 64 else { return nil }
      bytes.append(group.0 << 2 | group.1 >> 4)
      bytes.append(group.1 << 4 | group.2 >> 2)
      bytes.append(group.2 << 6 | group.3)
      index += 4
    }
    let rest = characters.count - index
    if rest == 0 { return bytes }
    // A single character encodes no whole byte, and the bits after the last byte must be zero.
    guard rest > 1 else { return nil }
    let (first, second) = (values[Int(characters[index])], values[Int(characters[index + 1])])
    let third = rest == 3 ? values[Int(characters[index + 2])] : 0
    guard first | second | third < 64, rest == 3 ? third << 6 == 0 : second << 4 == 0 else { return nil }
    bytes.append(first << 2 | second >> 4)
    if rest == 3 { bytes.append(second << 4 | third >> 2) }
    return bytes
  }

  /// The value of each byte as a character, or 255 for one outside the alphabet.
  private static let values = (0...255).map { value(of: $0).map { UInt8($0) } ?? 255 }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
