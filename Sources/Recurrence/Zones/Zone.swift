// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A time zone: what its clocks show at each instant.
///
/// Zones come from a ``ZoneDatabase``, such as the system's; ``init(identifier:tzif:)`` and ``init(identifier:posixRule:)``
/// make one of data that came another way, or for a test. A zone is immutable and cheap to copy.
public struct Zone: Sendable {
  /// The name in the database, such as `Europe/Zurich`.
  public let identifier: String
  let table: ZoneTable

  private init(_ identifier: String, _ table: ZoneTable) {
    self.identifier = identifier
    self.table = table
  }

  /// Coordinated universal time.
  public static let utc = Zone("UTC", ZoneTable(fixed: 0))

  /// Creates a zone from a file of the time zone database, of any version
  /// ([RFC 8536](https://www.rfc-editor.org/rfc/rfc8536.html)).
  ///
  /// - Parameters:
  ///   - identifier: Its name.
  ///   - bytes: The file, at most 256 KiB.
  /// - Throws: ``ZoneError`` if it is not such a file, or counts leap seconds.
  public init(identifier: String, tzif bytes: [UInt8]) throws(ZoneError) {
    do { self.init(identifier, try TZifReader.table(of: bytes)) } catch { throw ZoneError(error, identifier) }
  }

  /// Creates a zone from a rule for all years, such as `CET-1CEST,M3.5.0,M10.5.0/3`
  /// ([RFC 8536 § 3.3](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3)).
  ///
  /// - Parameters:
  ///   - identifier: Its name.
  ///   - posixRule: The rule, as the variable `TZ` of POSIX has it, with the extensions of RFC 8536.
  /// - Throws: ``ZoneError`` if it is not such a rule.
  public init(identifier: String, posixRule: String) throws(ZoneError) {
    guard let rule = POSIXZoneRule(Array(posixRule.utf8)) else { throw ZoneError(.malformed, identifier) }
    self.init(identifier, ZoneTable(rule: rule))
  }
}

extension Zone {
  /// Returns the seconds that its clocks are ahead of UTC; negative behind it.
  public func offset(at timestamp: Timestamp) -> Int {
    Int(table.segment(at: timestamp.secondsSince1970).offset)
  }

  /// Returns what its clocks show at an instant; fractions of a second are cut off.
  public func local(at timestamp: Timestamp) -> LocalDateTime {
    let offset = table.segment(at: timestamp.secondsSince1970).offset
    let (sum, overflow) = timestamp.secondsSince1970.addingReportingOverflow(offset)
    return LocalDateTime(unchecked: overflow ? timestamp.secondsSince1970 : sum)
  }

  /// Returns the instant at which its clocks show a time.
  ///
  /// Of a time that they show twice it is the first; one that they skip is meant as the clock counted before
  /// ([RFC 5545 § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.5)), so that it lies as much after the gap as
  /// it is into it.
  public func timestamp(of local: LocalDateTime) -> Timestamp {
    var clock = ZoneClock(table)
    return Timestamp(secondsSince1970: clock.instant(of: local.seconds).instant)
  }
}

extension Zone: Hashable {
  /// Whether both have the same name and the same clocks.
  public static func == (left: Zone, right: Zone) -> Bool {
    left.identifier == right.identifier && (left.table === right.table || left.table == right.table)
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Zone: CustomStringConvertible {
  /// The name.
  public var description: String { identifier }
}
