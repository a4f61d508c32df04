// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation
import Support

/// The files of the command's settings and registered clients.
///
/// Tests replace ``SystemFiles`` to end a command at any of its changes.
package protocol CommandFiles: Sendable {
  /// Returns the content of a regular file, or `nil` if there is no file.
  ///
  /// - Throws: An error if the file is not regular, or cannot be read.
  func content(of path: String) throws -> Data?

  /// Replaces a file atomically, or removes it if `content` is `nil`.
  ///
  /// The folder is created. A file that does not exist counts as removed.
  ///
  /// - Throws: An error if the file cannot be replaced or removed.
  func replace(_ path: String, with content: Data?) throws
}

/// The files of this computer, which only this user can read.
package struct SystemFiles: CommandFiles {
  /// The maximum size of a file, in bytes.
  private static let limit = 16 * 1024 * 1024

  package init() {}

  package func content(of path: String) throws -> Data? {
    try BlockingRead.content(ofRegularFile: path, upTo: Self.limit).map { Data($0) }
  }

  package func replace(_ path: String, with content: Data?) throws {
    guard let content else {
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
      return
    }
    try FilePermissions.makePrivateFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try content.write(to: URL(filePath: path), options: .atomic)
    try FilePermissions.set(0o600, ofItemAt: path)
  }
}
