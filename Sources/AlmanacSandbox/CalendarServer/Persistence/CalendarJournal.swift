// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import PlatformFoundation
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// A journal of the store: a file with a line of JSON for each call that changes the store.
///
/// The line is on disk before the response is sent.
///
/// Opening the file compacts it, so it does not grow indefinitely. A line truncated by a crash is dropped. The changes
/// of a call are therefore restored completely or not at all.
final class CalendarJournal: Sendable {
  private let lock: FolderLock
  private let file: AppendingFile

  /// Opens the file in a folder, creating the folder if necessary, and restores a store from it.
  ///
  /// - Parameter complete: Adds the objects missing from the file, which are all if it is new.
  /// - Throws: ``SandboxError`` if the folder is in use or cannot be used, or the file is damaged.
  init(
    folder: String, restoring store: inout CalendarStore,
    complete: (_ store: inout CalendarStore, _ isNew: Bool) -> Void
  ) throws {
    let path = "\(folder)/calendar.jsonl"
    do {
      try FilePermissions.makePrivateFolder(folder)
      lock = try FolderLock(folder)
      let bytes = try Self.contents(of: path)
      if let bytes { try Self.read(bytes, path, into: &store) }
      complete(&store, bytes == nil)
      var lines: [UInt8] = []
      for record in store.allRecords { lines += (store.json(of: record)?.json() ?? []) + [0x0A] }
      file = try AppendingFile(replacing: path, in: folder, with: lines)
    } catch let error as SandboxError {
      throw error
    } catch {
      throw SandboxError("The folder \(folder) cannot be used. Check that it can be written to.")
    }
    _ = store.takeRecords()
  }

  /// Appends the changes of a call.
  ///
  /// If appending fails, the store keeps the changes. Until the sandbox is created again, reads then return data
  /// missing from the file.
  ///
  /// - Returns: Whether there were changes, which require a call of ``synchronize()``.
  func append(_ records: [StoreRecord], of store: CalendarStore) throws(APIFault) -> Bool {
    guard !records.isEmpty else { return false }
    let changes = ([.generation] + records).compactMap { store.json(of: $0) }
    guard file.append(JSONValue.array(changes).json() + [0x0A]) else { throw Self.writeFailure }
    return true
  }

  /// Waits until all previous appends are on disk.
  func synchronize() async throws(APIFault) {
    guard await file.synchronize() else { throw Self.writeFailure }
  }

  private static let writeFailure = APIFault(
    status: 500, reason: "internalError",
    message: "The sandbox cannot write to its folder. Check the free space, and start it again.")

  /// Returns the contents of the file, or `nil` if there is none.
  private static func contents(of path: String) throws(SandboxError) -> [UInt8]? {
    var status = stat()
    // Safe: stat(2) reads the path and writes one `stat` during the call.
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw unreadable(path)
    }
    // Opening a pipe would wait for a writer.
    guard status.st_mode & S_IFMT == S_IFREG, let data = FileManager.default.contents(atPath: path) else {
      throw unreadable(path)
    }
    return [UInt8](data)
  }

  private static func unreadable(_ path: String) -> SandboxError {
    SandboxError("The file \(path) cannot be read. Check its permissions, and that it is a regular file.")
  }

  private static func read(_ bytes: [UInt8], _ path: String, into store: inout CalendarStore) throws {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // The last line is empty unless a crash truncated it. The first line was on disk before the file was renamed.
    if lines.count > 1 { lines.removeLast() }
    // Blocks that were not written before a power failure contain zeros, which JSON never has. Lines after them may have been
    // acknowledged.
    let unwritten = lines.firstIndex { $0.contains(0) } ?? lines.endIndex
    if unwritten == 0 || lines[unwritten...].contains(where: { json(afterZerosIn: $0) != nil }) {
      throw damage(unwritten, path)
    }
    for (index, line) in lines[..<unwritten].enumerated() where !line.isEmpty {
      guard let json = json(afterZerosIn: line), (json.array ?? [json]).allSatisfy({ store.restore($0) }) else {
        throw damage(index, path)
      }
    }
  }

  /// Returns the JSON of a line, or of its part after the last zero.
  ///
  /// Returns `nil` if the JSON is incomplete.
  private static func json(afterZerosIn line: ArraySlice<UInt8>) -> JSONValue? {
    try? JSONValue(json: Array(line.split(separator: 0, omittingEmptySubsequences: false).last ?? []))
  }

  private static func damage(_ index: Int, _ path: String) -> SandboxError {
    SandboxError("Line \(index + 1) of \(path) is damaged. Correct the line, or delete the file to start over.")
  }
}
