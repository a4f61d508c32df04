// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of this machine, up to 1 MiB each.
///
/// While a file is read, which may be a pipe, the task waits and no thread of the concurrency pool does.
public struct SystemFiles: CredentialFiles {
  private static let sizeLimit = 1 << 20

  /// Creates a reader.
  public init() {}

  /// Reads a file.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable``; `CancellationError`, promptly, when
  ///   the current task is cancelled.
  public func content(of path: String) async throws -> [UInt8]? {
    let content = try await BlockingWork.runCancellable {
      try BlockingRead.content(of: path, upTo: Self.sizeLimit + 1, isCancelled: $0)
    }
    guard let content else {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw GoogleCredentialError(
        .unreadable,
        "The file \(path.printable) cannot be read. Check that it is a file, and that the program's user may read it.",
        file: path)
    }
    guard content.count <= Self.sizeLimit else {
      throw GoogleCredentialError(
        .unreadable, "The file \(path.printable) is larger than 1 MiB, and so no file of credentials.", file: path)
    }
    return content
  }
}
