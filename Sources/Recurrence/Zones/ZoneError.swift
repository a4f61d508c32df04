// SPDX-License-Identifier: Apache-2.0

/// Why there is no such time zone.
public struct ZoneError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Error, Sendable, Hashable {
    /// The database has no zone of this name.
    case unknownIdentifier
    /// It is not a name that a zone can have: letters, digits, `+`, `-`, `_` and `.`, with slashes between its parts.
    case invalidIdentifier
    /// The zone's file cannot be read, for a reason that `errno` has.
    case unreadable(Int32)
    /// What should describe the zone does not, or is larger than 256 KiB.
    case malformed
    /// The zone counts leap seconds, which calendars do not.
    case leapSeconds
  }

  /// What is wrong.
  public let reason: Reason
  /// The zone's name.
  public let identifier: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: What is wrong.
  ///   - identifier: The zone's name, of which the first 255 characters are kept.
  public init(_ reason: Reason, _ identifier: String) {
    self.reason = reason
    self.identifier = String(identifier.prefix(255))
  }
}

extension ZoneError: CustomStringConvertible {
  /// What is wrong and what to do, in a sentence.
  public var description: String {
    switch reason {
    case .unknownIdentifier:
      "The time zone database has no \(quoted); check the name, or install the database (tzdata)"
    case .invalidIdentifier: "\(quoted) is not the name of a time zone; write one such as Europe/Zurich"
    case .unreadable(let number): "The time zone \(quoted) cannot be read (errno \(number)); check the database's files"
    case .malformed: "The time zone \(quoted) is damaged; install the database (tzdata) anew"
    case .leapSeconds: "The time zone \(quoted) counts leap seconds; take the one without the prefix right/"
    }
  }

  /// As a literal, since the name came from outside.
  private var quoted: String { identifier.debugDescription }
}
