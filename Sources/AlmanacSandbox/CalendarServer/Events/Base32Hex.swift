// SPDX-License-Identifier: Apache-2.0

/// Base32hex in lower case, without padding
/// ([RFC 4648 § 7](https://www.rfc-editor.org/rfc/rfc4648.html#section-7)).
enum Base32Hex {
  static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    var (result, buffer, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        result.append(digits[Int(buffer >> count & 31)])
      }
      buffer &= (1 << count) - 1
    }
    if count > 0 { result.append(digits[Int(buffer << (5 - count) & 31)]) }
    return String(decoding: result, as: UTF8.self)
  }
}
