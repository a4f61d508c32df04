// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A time zone: a name and its offset from UTC at each instant.
///
/// Zones come from a ``ZoneDatabase``, such as the system's. For other data, or in a test, create one by
/// ``init(identifier:tzif:)`` or ``init(identifier:posixRule:)``. A zone is immutable and cheap to copy.
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
  ///   - identifier: The zone's name.
  ///   - bytes: The content of the file, at most 256 KiB.
  /// - Throws: ``ZoneError`` if the file is not valid, or counts leap seconds.
  public init(identifier: String, tzif bytes: [UInt8]) throws(ZoneError) {
    do { self.init(identifier, try TZifReader.table(of: bytes)) } catch { throw ZoneError(error, identifier) }
  }

  /// Creates a zone from a rule for all years, such as `CET-1CEST,M3.5.0,M10.5.0/3`
  /// ([RFC 8536 § 3.3](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3)).
  ///
  /// - Parameters:
  ///   - identifier: The zone's name.
  ///   - posixRule: The rule in the form of the POSIX variable `TZ`, with the extensions of RFC 8536.
  /// - Throws: ``ZoneError`` if the rule is not valid.
  public init(identifier: String, posixRule: String) throws(ZoneError) {
    guard let rule = POSIXZoneRule(Array(posixRule.utf8)) else { throw ZoneError(.malformed, identifier) }
    self.init(identifier, ZoneTable(rule: rule))
  }
}

extension Zone {
  /// Returns the offset from UTC at an instant, in seconds, positive east of UTC.
  public func offset(at timestamp: Timestamp) -> Int {
    Int(table.segment(at: timestamp.secondsSince1970).offset)
  }

  /// Returns the local time at an instant.
  ///
  /// Fractions of a second are dropped.
  public func local(at timestamp: Timestamp) -> LocalDateTime {
    let offset = table.segment(at: timestamp.secondsSince1970).offset
    let (sum, overflow) = timestamp.secondsSince1970.addingReportingOverflow(offset)
    return LocalDateTime(unchecked: overflow ? timestamp.secondsSince1970 : sum)
  }

  /// Returns the instant of a local time.
  ///
  /// A repeated local time is the first of the two instants. A skipped local time uses the offset before the gap
  /// ([RFC 5545 § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.5)): if the clocks skip 02:00 to 03:00, then 02:30
  /// is the instant of 03:30.
  public func timestamp(of local: LocalDateTime) -> Timestamp {
    var clock = ZoneClock(table)
    return Timestamp(secondsSince1970: clock.instant(of: local.seconds).instant)
  }
}

extension Zone: Hashable {
  /// Whether both have the same name and the same offsets.
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
