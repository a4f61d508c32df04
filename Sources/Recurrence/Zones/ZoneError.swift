// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error in finding or reading a time zone.
public struct ZoneError: Error, Sendable, Hashable {
  /// The reason for an error.
  public enum Reason: Error, Sendable, Hashable {
    /// The database has no zone of this name.
    case unknownIdentifier
    /// The name is not valid. A name has at most 255 bytes: letters, digits, `+`, `-`, `_` and `.`, with slashes between its parts. A
    /// part begins with a letter or digit.
    case invalidIdentifier
    /// The zone's file cannot be read. The value is `errno`.
    case unreadable(Int32)
    /// The zone's file or rule is not valid, or is larger than 256 KiB.
    case malformed
    /// The zone counts leap seconds, unlike calendars.
    case leapSeconds
  }

  /// The reason for the error.
  public let reason: Reason
  /// The zone's name.
  public let identifier: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: The reason for the error.
  ///   - identifier: The zone's name, truncated to 255 characters.
  public init(_ reason: Reason, _ identifier: String) {
    self.reason = reason
    self.identifier = String(identifier.prefix(255))
  }
}

extension ZoneError: CustomStringConvertible {
  /// A message that states the error and its remedy.
  public var description: String { "\(problem)." }

  /// The message without its final period.
  var problem: String {
    switch reason {
    case .unknownIdentifier:
      "The time zone database has no \(quoted). Check the name, or install the database (tzdata)"
    case .invalidIdentifier: "\(quoted) is not the name of a time zone. Write one such as Europe/Zurich"
    case .unreadable(let number): "The time zone \(quoted) cannot be read (errno \(number)). Check the database's files"
    case .malformed: "The time zone \(quoted) is damaged. Reinstall the database (tzdata)"
    case .leapSeconds: "The time zone \(quoted) counts leap seconds. Use the one without the prefix right/"
    }
  }

  /// The name as a literal, because it may come from an untrusted source.
  private var quoted: String { identifier.debugDescription }
}

extension ZoneError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
