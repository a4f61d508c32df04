// SPDX-License-Identifier: Apache-2.0

/// An account's name as a file name, without its ending.
///
/// Lower-case letters, digits and `-_@+` are unchanged; every other byte is written as `%` and two lower-case hexadecimal
/// digits. Two accounts therefore never share a name, even if the file system ignores case or Unicode spelling, and no account
/// can name another folder.
struct AccountFileName: Hashable, Sendable {
  /// 255 bytes is the limit of nearly every file system; the longest suffix, that of a file set aside, takes 27.
  static let maximumLength = 255 - 27

  let encoded: String

  var record: String { encoded + ".json" }
  var lock: String { encoded + ".lock" }
  /// One name is enough: only the holder of the lock writes.
  var temporary: String { encoded + ".tmp" }
  /// Returns a random name for a damaged record.
  func setAside() -> String { "\(encoded).\(Self.randomDigits).corrupted" }
  /// Returns a random name that belongs to no account, for testing whether a file can be written.
  func trial() -> String { "\(encoded).\(Self.randomDigits).trial" }

  /// 16 hexadecimal digits, of which the first is not 0.
  private static var randomDigits: String { String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }
}

extension AccountFileName {
  /// Encodes an account's name.
  ///
  /// - Throws: ``TokenStorageError`` with code `invalidAccount`.
  init(_ account: String) throws {
    guard !account.isEmpty else { throw TokenStorageError.emptyAccount }
    encoded = Self.encode(account)
    guard encoded.utf8.count <= Self.maximumLength else {
      throw TokenStorageError(
        .invalidAccount,
        """
        The account's name is too long for a file name: \(encoded.utf8.count) bytes when escaped, where \
        \(Self.maximumLength) fit. Use a shorter name, such as the subject identifier.
        """)
    }
  }

  /// Returns the account whose record is called `file`, or `nil` if `file` is not the name of a record.
  static func account(ofRecord file: String) -> String? {
    file.hasSuffix(".json") ? account(encoded: String(file.dropLast(".json".count))) : nil
  }

  /// Returns the account of an ``encoded`` name, or `nil` if there is none.
  static func account(encoded text: String) -> String? {
    let encoded = text.utf8
    var bytes: [UInt8] = []
    var index = encoded.startIndex
    while index < encoded.endIndex {
      var byte = encoded[index]
      encoded.formIndex(after: &index)
      if byte == UInt8(ascii: "%") {
        let end = encoded.index(index, offsetBy: 2, limitedBy: encoded.endIndex) ?? encoded.endIndex
        guard let value = UInt8(text[index..<end], radix: 16) else { return nil }
        byte = value
        index = end
      }
      bytes.append(byte)
    }
    guard let account = String(validating: bytes, as: UTF8.self), !account.isEmpty else { return nil }
    // This code does not write any other spelling.
    return encode(account) == text ? account : nil
  }

  static func encode(_ account: String) -> String {
    account.utf8.reduce(into: "") { name, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "+"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += byte < 16 ? "%0" : "%"
        name += String(byte, radix: 16)
      }
    }
  }
}
