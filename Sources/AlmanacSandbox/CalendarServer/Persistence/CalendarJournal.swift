// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import PlatformFoundation
import Support

/// Persists the store in a file, with a line of JSON for each call that changes it.
///
/// The line is on disk before the response is sent.
///
/// The file is compacted when it is opened, so that it does not grow indefinitely. A line that a crash truncated is dropped, so a
/// call's changes are restored completely or not at all.
final class CalendarJournal: Sendable {
  private let file: AppendingFile

  /// Opens the file in a folder, creating the folder if necessary, and restores a store from it.
  ///
  /// - Parameter seed: Returns the initial store if there is no file yet.
  /// - Throws: ``SandboxError`` if the folder cannot be used or the file is damaged.
  init(folder: String, restoring store: inout CalendarStore, seed: () -> CalendarStore) throws {
    let path = "\(folder)/calendar.jsonl"
    do {
      try FilePermissions.makePrivateFolder(folder)
      if let data = FileManager.default.contents(atPath: path) {
        try Self.read([UInt8](data), path, into: &store)
      } else if FileManager.default.fileExists(atPath: path) {
        throw SandboxError("The file \(path) cannot be read. Check its permissions.")
      } else {
        store = seed()
      }
      var bytes: [UInt8] = []
      for record in store.allRecords { bytes += (store.json(of: record)?.json() ?? []) + [0x0A] }
      file = try AppendingFile(replacing: path, in: folder, with: bytes)
    } catch let error as SandboxError {
      throw error
    } catch {
      throw SandboxError("The folder \(folder) cannot be used. Check that it can be written to.")
    }
    _ = store.takeRecords()
  }

  /// Appends the changes of a call.
  ///
  /// If appending fails, the store keeps the changes. Reads then return data that the file does not have, until the sandbox is
  /// created again.
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
