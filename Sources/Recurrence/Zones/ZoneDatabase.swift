// SPDX-License-Identifier: Apache-2.0

/// Finds time zones by name.
///
/// Take ``SystemZoneDatabase`` in a program. A test can have one with the zones that it needs:
///
/// ```swift
/// struct OneZone: ZoneDatabase {
///   func zone(_ identifier: String) throws(ZoneError) -> Zone {
///     try Zone(identifier: identifier, posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
///   }
/// }
/// ```
public protocol ZoneDatabase: Sendable {
  /// Returns the zone of a name, such as `Europe/Zurich`.
  ///
  /// - Parameter identifier: The name; it may come from outside.
  /// - Throws: ``ZoneError`` if there is none.
  func zone(_ identifier: String) throws(ZoneError) -> Zone
}
