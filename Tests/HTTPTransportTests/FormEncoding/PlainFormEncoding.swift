// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The standards of forms and queries, followed plainly: what the hot path is compared with, here and by the fuzzer.
enum PlainFormEncoding {
  private static let form = plainTable("*-._", space: "+")
  private static let query = plainTable("-._~", space: "%20")

  /// For each byte what stands for it.
  private static func plainTable(_ marks: String, space: String) -> [[UInt8]] {
    let unescaped = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + marks
    return (UInt8.min...UInt8.max).map { byte in
      if unescaped.utf8.contains(byte) { return [byte] }
      if byte == 0x20 { return Array(space.utf8) }
      return Array(("%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)).utf8)
    }
  }

  static func write(_ bytes: [UInt8], _ encoding: FormEncoding) -> [UInt8] {
    let table = encoding == .form ? form : query
    return bytes.flatMap { table[Int($0)] }
  }

  /// Reads by the parser of WHATWG URL § 5.1, a step at a time.
  static func read(_ bytes: [UInt8]) -> [(name: String, value: String)] {
    bytes.split(separator: UInt8(ascii: "&")).map { sequence in
      let equals = sequence.firstIndex(of: UInt8(ascii: "=")) ?? sequence.endIndex
      return (text(unescape(sequence[..<equals])), text(unescape(sequence[equals...].dropFirst())))
    }
  }

  private static func unescape(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, result) = (bytes, [UInt8]())
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        digits.allSatisfy({ $0 < 0x80 }), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return result
  }

  /// The decoder of WHATWG Encoding § 8.1.1, which says where one U+FFFD ends and the next begins.
  private static func text(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var (value, needed, lower, upper) = (UInt32(0), 0, UInt8(0x80), UInt8(0xBF))
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if needed > 0 {
        if byte < lower || byte > upper {
          needed = 0
          index -= 1
          scalars.append("\u{FFFD}")
        } else {
          value = value << 6 | UInt32(byte & 0x3F)
          needed -= 1
          if needed == 0, let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        (lower, upper) = (0x80, 0xBF)
        continue
      }
      switch byte {
      case 0x00...0x7F: scalars.append(Unicode.Scalar(byte))
      case 0xC2...0xDF: (value, needed) = (UInt32(byte & 0x1F), 1)
      case 0xE0...0xEF:
        (value, needed) = (UInt32(byte & 0x0F), 2)
        if byte == 0xE0 { lower = 0xA0 }
        if byte == 0xED { upper = 0x9F }
      case 0xF0...0xF4:
        (value, needed) = (UInt32(byte & 0x07), 3)
        if byte == 0xF0 { lower = 0x90 }
        if byte == 0xF4 { upper = 0x8F }
      default: scalars.append("\u{FFFD}")
      }
    }
    if needed > 0 { scalars.append("\u{FFFD}") }
    return String(scalars)
  }
}
