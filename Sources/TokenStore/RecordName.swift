// SPDX-License-Identifier: Apache-2.0

/// The name of a client's record for an account: the account, a space, the client identifier.
///
/// Two clients never share a record, since a refresh token is useless to another client. Two programs of one client share it,
/// and with it the sign-in. `GoogleAccount` and the command name their records in this way:
///
/// ```swift
/// RecordName(account: "default", clientID: "1234.apps.googleusercontent.com").description
/// // "default 1234.apps.googleusercontent.com"
/// ```
///
/// A space in the identifier is written as `%20`, and a percent sign as `%25`, so each name has one meaning. An account may
/// contain spaces.
public struct RecordName: Sendable, Hashable, LosslessStringConvertible {
  /// The account's name in the program.
  public let account: String
  /// The client identifier.
  public let clientID: String

  /// Creates the name of a record.
  public init(account: String, clientID: String) {
    (self.account, self.clientID) = (account, clientID)
  }

  /// Parses a name, or returns `nil` if it does not consist of an account and a client.
  public init?(_ description: String) {
    let bytes = description.utf8
    guard let space = bytes.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let (account, identifier) = (bytes[..<space], bytes[bytes.index(after: space)...])
    guard !account.isEmpty, !identifier.isEmpty else { return nil }
    self.init(account: String(decoding: account, as: UTF8.self), clientID: Self.unescaped(Array(identifier)))
  }

  /// The name to use with a storage.
  public var description: String { "\(account) \(Self.escaped(clientID))" }

  /// Returns whether two names have the same bytes: `"é"` and `"e\u{301}"` are different accounts.
  public static func == (left: Self, right: Self) -> Bool {
    left.account.utf8.elementsEqual(right.account.utf8) && left.clientID.utf8.elementsEqual(right.clientID.utf8)
  }

  /// Hashes the bytes of the account and the client.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(account.utf8))
    hasher.combine(Array(clientID.utf8))
  }

  // Bytes are replaced, not characters: a space before a combining mark is not the `Character` " ".
  private static func escaped(_ identifier: String) -> String {
    var text = ""
    for scalar in identifier.unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case " ": text += "%20"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func unescaped(_ text: [UInt8]) -> String {
    var identifier: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.starts(with: "20".utf8) {
        identifier.append(UInt8(ascii: " "))
        rest = rest.dropFirst(2)
      } else {
        identifier.append(byte)
        if byte == UInt8(ascii: "%"), rest.starts(with: "25".utf8) { rest = rest.dropFirst(2) }
      }
    }
    return String(decoding: identifier, as: UTF8.self)
  }
}
