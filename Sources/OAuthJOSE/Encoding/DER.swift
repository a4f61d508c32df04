// SPDX-License-Identifier: Apache-2.0

/// The part of DER for keys and signatures ([X.690](https://www.itu.int/rec/T-REC-X.690)).
///
/// Only valid DER is accepted: the shortest lengths, the shortest numbers, and no trailing bytes.
enum DER {
  enum Tag {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    /// `[number]`, constructed.
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
    /// `[number]`, primitive.
    static func implicit(_ number: UInt8) -> UInt8 { 0x80 | number }
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var count = content.count
      while count > 0 {
        length.insert(UInt8(truncatingIfNeeded: count), at: 0)
        count >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    var element: [UInt8] = []
    // Allocated with the final size, so no part of a secret stays in a buffer that was outgrown.
    element.reserveCapacity(1 + length.count + content.count)
    element.append(tag)
    element += length
    element += content
    return element
  }

  /// Encodes the number with these big-endian digits.
  static func unsignedInteger(_ magnitude: some Collection<UInt8>) -> [UInt8] {
    let digits = magnitude.drop { $0 == 0 }
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    return element(Tag.integer, (needsZero ? [0] : []) + digits)
  }
}

extension DER {
  /// A reader of consecutive elements.
  struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the content of the next element, or `nil` if it has another tag or is malformed.
    mutating func read(_ tag: UInt8) -> ArraySlice<UInt8>? {
      guard rest.first == tag else { return nil }
      var after = rest.dropFirst()
      guard let first = after.popFirst() else { return nil }
      var length = Int(first)
      if first >= 0x80 {
        guard (1...3).contains(first & 0x7F) else { return nil }
        length = 0
        for _ in 0..<(first & 0x7F) {
          guard let byte = after.popFirst(), length > 0 || byte > 0 else { return nil }
          length = length << 8 | Int(byte)
        }
        guard length >= 0x80 else { return nil }
      }
      guard length <= after.count else { return nil }
      rest = after.dropFirst(length)
      return after.prefix(length)
    }

    /// Reads an element that contains others.
    mutating func nested(_ tag: UInt8 = Tag.sequence) -> Reader? { read(tag).map { Reader($0) } }

    /// Returns the digits of a non-negative number, without leading zeros.
    mutating func unsignedInteger() -> ArraySlice<UInt8>? {
      guard let digits = read(Tag.integer), let first = digits.first, first < 0x80 else { return nil }
      guard first == 0 else { return digits }
      guard digits.count == 1 || digits.dropFirst().first.map({ $0 >= 0x80 }) == true else { return nil }
      return digits.dropFirst()
    }

    /// Returns the content of a bit string of whole bytes.
    mutating func bitString(_ tag: UInt8 = Tag.bitString) -> ArraySlice<UInt8>? {
      guard let content = read(tag), content.first == 0 else { return nil }
      return content.dropFirst()
    }
  }
}
