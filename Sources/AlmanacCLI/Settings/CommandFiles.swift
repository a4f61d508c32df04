// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation
import Support
import Synchronization
import TokenStore

/// The files of the command's settings and registered clients.
///
/// Tests replace ``SystemFiles`` to end a command at any of its changes.
package protocol CommandFiles: Sendable {
  /// Returns the content of a regular file, or `nil` if there is no file.
  ///
  /// - Throws: An error if the file is not regular, or cannot be read.
  func content(of path: String) throws -> Data?
  /// Returns the content of a file with secrets, or `nil` if there is no file.
  ///
  /// - Throws: `TokenStorageError`, with code `insecure` if the file is a link, or belongs or is accessible to another user.
  func secretContent(of path: String) throws -> Data?

  /// Reserves durable space for the next ``replace(_:with:)`` of a file, before something is spent whose result it stores.
  ///
  /// The folder is created. Repeated calls do nothing.
  ///
  /// - Throws: An error if there is no space, or the file cannot be replaced.
  func reserve(_ path: String) throws

  /// Replaces a file atomically and durably, or removes it if `content` is `nil`.
  ///
  /// The folder is created. A nonexistent file counts as removed.
  ///
  /// - Throws: An error if the file cannot be replaced or removed.
  func replace(_ path: String, with content: Data?) throws

  /// Ends all unused reservations.
  func release()
}

/// The files of this computer, which only this user can read.
package final class SystemFiles: CommandFiles {
  /// The maximum size of a file, in bytes.
  private static let limit = 16 * 1024 * 1024
  /// The space for additions of a command to a file, in bytes.
  private static let growth = 1024 * 1024

  private let reserved = Mutex<[String: ReplacementFile]>([:])

  package init() {}

  package func content(of path: String) throws -> Data? {
    try BlockingRead.content(ofRegularFile: path, upTo: Self.limit).map { Data($0) }
  }

  package func secretContent(of path: String) throws -> Data? {
    try PrivateFile.read(path, limit: Self.limit, advice: "Remove it and sign in again.").map { Data($0) }
  }

  package func reserve(_ path: String) throws {
    try reserved.withLock { reserved in
      guard reserved[path] == nil else { return }
      try Self.makeFolder(of: path)
      let size = try (content(of: path)?.count ?? 0) + Self.growth
      reserved[path] = try ReplacementFile(for: path, reserving: size)
    }
  }

  package func replace(_ path: String, with content: Data?) throws {
    guard let content else {
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
      return
    }
    let bytes = Array(content)
    if replaceReserved(path, with: bytes) { return }
    // Nothing was reserved, the folder was removed, or a file system that copies on write needs the space of the reservation.
    try Self.makeFolder(of: path)
    try ReplacementFile(for: path, reserving: 0).replace(with: bytes)
  }

  /// Replaces a file in its reserved space, and ends the reservation.
  private func replaceReserved(_ path: String, with content: [UInt8]) -> Bool {
    let file = reserved.withLock { $0.removeValue(forKey: path) }
    return file.map { (try? $0.replace(with: content)) != nil } ?? false
  }

  package func release() { reserved.withLock { $0 = [:] } }

  private static func makeFolder(of path: String) throws {
    try FilePermissions.makePrivateFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }
}
