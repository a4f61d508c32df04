// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import Timekeeping
import TokenStore

/// The cost of token storage in files for a sign-in or a refresh, compared with the system calls alone.
enum StorageRows {
  static var rows: [Row] {
    get throws {
      let path = try path
      let storage = FileTokenStorage(path: path + "/tokens")
      let token = StoredToken(
        accessToken: Secret(String(repeating: "a", count: 180)), expiresAt: Timestamp(secondsSince1970: 2_000_000_000),
        refreshToken: Secret(String(repeating: "r", count: 100)), scopes: ["https://www.googleapis.com/auth/calendar"])
      let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 600)
      let file = path + "/plain"
      let write = {
        wait {
          try await storage.withExclusiveAccess(to: "me") { try await $0.write(token) }
          return 1
        }
      }
      return [
        Row(
          "file storage", "write a token",
          ours: Contender(
            "FileTokenStorage",
            check: { write() == 1 && wait { try await storage.token(for: "me") } == token ? nil : "the token is lost" },
            write),
          baselines: [
            Contender("system calls", doesLess: "no lock, no format, no checks") {
              SystemFile.replace(file, with: bytes) ? 1 : 0
            }
          ]),
        Row(
          "file storage", "read a token",
          ours: Contender("FileTokenStorage") { wait { try await storage.token(for: "me") } == nil ? 0 : 1 },
          baselines: [
            Contender("system calls", doesLess: "no format, no checks") { SystemFile.read(file) }
          ]),
      ]
    }
  }

  /// The folder for the files of the rows.
  static var path: String {
    get throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder.path(percentEncoded: false)
    }
  }

  private static let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-benchmarks-\(UUID())")

  /// Removes the files of the rows.
  static func removeFiles() { try? FileManager.default.removeItem(at: folder) }
}

/// The minimum of system calls that survives a power failure.
enum SystemFile {
  static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
    let temporary = path + ".tmp"
    // All pointers are valid during the call, with the stated lengths.
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let written = unsafe write(file, bytes, bytes.count)
    guard written == bytes.count, fsync(file) == 0, close(file) == 0, unsafe rename(temporary, path) == 0 else {
      return false
    }
    let folder = unsafe open(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)), O_RDONLY | O_CLOEXEC)
    return fsync(folder) == 0 && close(folder) == 0
  }

  static func read(_ path: String) -> Int {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    var bytes = [UInt8](repeating: 0, count: 4096)
    // The array is valid during the call, which writes at most as many bytes as it has.
    let count = unsafe Foundation.read(file, &bytes, bytes.count)
    close(file)
    return count
  }
}
