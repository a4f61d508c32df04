// SPDX-License-Identifier: Apache-2.0

/// An account's name as a file name, without its ending.
///
/// Lower-case letters, digits and `-_@+` are unchanged. Every other byte is written as `%` and two lower-case
/// hexadecimal digits. A name over the limit is shortened to its beginning, `~` and its SHA-256 digest. Two accounts
/// therefore never share a file, even if the file system ignores case or Unicode spelling, and no account can name
/// another folder.
package struct AccountFileName: Hashable, Sendable {
  /// 255 bytes is the limit of nearly every file system.
  ///
  /// The longest suffix, for a damaged record, has 27 bytes.
  private static let maximumLength = 255 - 27
  /// The maximum length of the beginning of a longer name.
  private static let beginningLength = 100

  package let encoded: String
  /// The account's name, which its record contains because `encoded` is shortened, or `nil` if `encoded` is complete,
  /// or was itself read.
  let longAccount: String?

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
  /// The account denoted by a file name.
  enum Meaning {
    case account(String)
    /// The record contains the account's name.
    case inRecord(AccountFileName)
  }

  /// Encodes an account's name.
  ///
  /// - Throws: ``TokenStorageError`` with code `invalidAccount` for the empty string.
  package init(_ account: String) throws {
    guard !account.isEmpty else { throw TokenStorageError.emptyAccount }
    let whole = Self.encode(account)
    if whole.utf8.count <= Self.maximumLength {
      (encoded, longAccount) = (whole, nil)
    } else {
      encoded = "\(Self.beginning(of: whole))~\(Self.digest(of: account))"
      longAccount = account
    }
  }

  /// Returns 64 lower-case hexadecimal digits.
  private static func digest(of account: String) -> String {
    RecordDigest.of(Array(account.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private init(shortened encoded: String) { (self.encoded, longAccount) = (encoded, nil) }

  /// Returns the meaning of a record's file name, or `nil` if `file` is not the name of a record.
  static func meaning(ofRecord file: String) -> Meaning? {
    file.utf8.suffix(5).elementsEqual(".json".utf8) ? meaning(ofEncoded: String(file.dropLast(5))) : nil
  }

  /// Returns the meaning of an ``encoded`` name, or `nil` if there is none.
  static func meaning(ofEncoded text: String) -> Meaning? {
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      return decode(String(parts[0])) == nil || parts[1].utf8.count != 64 ? nil : .inRecord(Self(shortened: text))
    }
    // This code does not write any other spelling.
    guard let bytes = decode(text), let account = String(validating: bytes, as: UTF8.self), !account.isEmpty,
      encode(account) == text, text.utf8.count <= maximumLength
    else { return nil }
    return .account(account)
  }

  /// The longest beginning that does not divide an escape.
  private static func beginning(of whole: String) -> Substring {
    let bytes = Array(whole.utf8.prefix(beginningLength))
    let escape = bytes.suffix(2).lastIndex(of: UInt8(ascii: "%"))
    return whole.prefix(escape ?? bytes.count)
  }

  private static func decode(_ text: String) -> [UInt8]? {
    let encoded = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < encoded.count {
      if encoded[index] == UInt8(ascii: "%") {
        let digits = String(decoding: encoded[index...].dropFirst().prefix(2), as: UTF8.self)
        guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else { return nil }
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(encoded[index])
        index += 1
      }
    }
    return bytes
  }

  package static func encode(_ account: String) -> String {
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
