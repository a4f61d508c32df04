// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The operating system's time zone database: its compiled files, such as `/usr/share/zoneinfo/Europe/Zurich`.
///
/// A zone is read at its first use, which takes some microseconds, and cached for the lifetime of this object. To see an
/// update of the system's database, create a new object. All tasks and threads can share it.
public final class SystemZoneDatabase: ZoneDatabase {
  /// The database in the default folders of the operating system.
  public static let shared = SystemZoneDatabase()

  /// The folders of the database on Linux, macOS, iOS, the BSDs and NixOS.
  public static let systemFolders = [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/share/zoneinfo.default", "/usr/lib/zoneinfo",
    "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  private let folders: [String]
  private let zones = Mutex<[String: Zone]>([:])

  /// Creates a database that reads the zones from folders.
  ///
  /// - Parameter folders: The folders to search, in this order. Defaults to ``systemFolders``.
  public init(folders: [String] = SystemZoneDatabase.systemFolders) {
    self.folders = folders
  }

  /// Returns the zone with a name, such as `Europe/Zurich`.
  ///
  /// `UTC` always exists.
  ///
  /// A name cannot refer to a file outside of the folders.
  ///
  /// - Throws: ``ZoneError`` if the zone does not exist, or its file cannot be read or is damaged.
  public func zone(_ identifier: String) throws(ZoneError) -> Zone {
    if let zone = zones.withLock({ $0[identifier] }) { return zone }
    guard Self.isName(identifier) else { throw ZoneError(.invalidIdentifier, identifier) }
    if identifier == Zone.utc.identifier { return .utc }
    for folder in folders {
      do {
        // The folders also contain other files, such as lists of zones.
        guard let bytes = try ZoneFile.bytes("\(folder)/\(identifier)"), bytes.starts(with: "TZif".utf8) else {
          continue
        }
        let zone = try Zone(identifier: identifier, tzif: bytes)
        zones.withLock { $0[identifier] = zone }
        return zone
      } catch let reason as ZoneError.Reason {
        throw ZoneError(reason, identifier)
      } catch let error as ZoneError {
        throw error
      } catch {
        throw ZoneError(.malformed, identifier)
      }
    }
    throw ZoneError(.unknownIdentifier, identifier)
  }

  /// Returns whether a name is a valid path within the database's folder: each part begins with a letter or digit.
  private static func isName(_ identifier: String) -> Bool {
    let bytes = identifier.utf8
    guard (1...255).contains(bytes.count) else { return false }
    return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      guard let first = part.first, first.isLetter || first.isDigit else { return false }
      return part.allSatisfy { $0.isLetter || $0.isDigit || "+-_.".utf8.contains($0) }
    }
  }
}

/// A database of time zones by name.
///
/// Use ``SystemZoneDatabase`` in a program. In a test, implement a database with the required zones:
///
/// ```swift
/// struct OneZone: ZoneDatabase {
///   func zone(_ identifier: String) throws(ZoneError) -> Zone {
///     try Zone(identifier: identifier, posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
///   }
/// }
/// ```
public protocol ZoneDatabase: Sendable {
  /// Returns the zone with a name, such as `Europe/Zurich`.
  ///
  /// - Parameter identifier: The name, which may come from an untrusted source.
  /// - Throws: ``ZoneError`` if the zone does not exist.
  func zone(_ identifier: String) throws(ZoneError) -> Zone
}
