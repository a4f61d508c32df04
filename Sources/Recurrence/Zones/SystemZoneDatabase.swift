// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The time zone database of the operating system: its compiled files, such as `/usr/share/zoneinfo/Europe/Zurich`.
///
/// A zone is read when it is first used, some microseconds, and kept for the life of this value; an update of the system's
/// database is seen by a new one. All tasks and threads may share it.
public final class SystemZoneDatabase: ZoneDatabase {
  /// The database where the operating system keeps it.
  public static let shared = SystemZoneDatabase()

  /// Where Linux, macOS, iOS, the BSDs and NixOS keep it.
  public static let systemFolders = [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/share/zoneinfo.default", "/usr/lib/zoneinfo",
    "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]

  private let folders: [String]
  private let zones = Mutex<[String: Zone]>([:])

  /// Creates a database in folders.
  ///
  /// - Parameter folders: Where to look, in this order. Defaults to ``systemFolders``.
  public init(folders: [String] = SystemZoneDatabase.systemFolders) {
    self.folders = folders
  }

  /// Returns the zone of a name, such as `Europe/Zurich`; `UTC` is always there.
  ///
  /// A name leads nowhere but to a file below the folders.
  ///
  /// - Throws: ``ZoneError`` if there is none, or its file is damaged.
  public func zone(_ identifier: String) throws(ZoneError) -> Zone {
    if let zone = zones.withLock({ $0[identifier] }) { return zone }
    guard Self.isName(identifier) else { throw ZoneError(.invalidIdentifier, identifier) }
    if identifier == Zone.utc.identifier { return .utc }
    for folder in folders {
      do {
        // Lists and the like lie beside the zones.
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

  /// Whether a name stays below a folder, and is not a file of another kind there by its first character.
  private static func isName(_ identifier: String) -> Bool {
    let bytes = identifier.utf8
    guard (1...255).contains(bytes.count) else { return false }
    return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      guard let first = part.first, first.isLetter || first.isDigit else { return false }
      return part.allSatisfy { $0.isLetter || $0.isDigit || "+-_.".utf8.contains($0) }
    }
  }
}

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
