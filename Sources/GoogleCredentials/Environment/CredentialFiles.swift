// SPDX-License-Identifier: Apache-2.0

/// Reads the files of credentials: the seam between this module and the disk.
///
/// Take ``SystemFiles`` in a program. A double for a test needs one method:
///
/// ```swift
/// struct FixedFiles: CredentialFiles {
///   let contents: [String: String]
///   func content(of path: String) async throws -> [UInt8]? { contents[path].map { Array($0.utf8) } }
/// }
/// ```
public protocol CredentialFiles: Sendable {
  /// Reads a file.
  ///
  /// - Parameter path: The file's path.
  /// - Returns: Its content; `nil` if there is no such file.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable`` if it is there and cannot be read;
  ///   `CancellationError`.
  func content(of path: String) async throws -> [UInt8]?
}
