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

  /// Parses a name; `nil` if it does not consist of an account and a client.
  public init?(_ description: String) {
    guard let space = description.lastIndex(of: " ") else { return nil }
    let (account, identifier) = (description[..<space], description[description.index(after: space)...])
    guard !account.isEmpty, !identifier.isEmpty else { return nil }
    self.init(account: String(account), clientID: Self.unescaped(identifier))
  }

  /// The name to use with a storage.
  public var description: String { "\(account) \(Self.escaped(clientID))" }

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

  private static func unescaped(_ text: Substring) -> String {
    var identifier = ""
    var rest = text
    while let percent = rest.firstIndex(of: "%") {
      identifier += rest[..<percent]
      rest = rest[percent...]
      if rest.hasPrefix("%20") {
        identifier += " "
        rest = rest.dropFirst(3)
      } else {
        identifier += "%"
        rest = rest.dropFirst(rest.hasPrefix("%25") ? 3 : 1)
      }
    }
    return identifier + rest
  }
}
