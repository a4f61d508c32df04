// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps the store in a file: a line of JSON for each change, appended before the response is sent.
///
/// The file is rewritten when it is opened, so that it does not grow for ever. A line that a crash has cut short is dropped.
final class CalendarJournal: Sendable {
  private let file: AppendingFile

  /// Opens the file in a folder, which is made if it is not there, and brings a store to what it says.
  ///
  /// - Parameter seed: The store where there is no file yet.
  /// - Throws: ``SandboxError`` if the folder cannot be used or the file is damaged.
  init(folder: String, restoring store: inout CalendarStore, seed: () -> CalendarStore) throws {
    let path = "\(folder)/calendar.jsonl"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if let data = FileManager.default.contents(atPath: path) {
        try Self.read([UInt8](data), path, into: &store)
      } else if FileManager.default.fileExists(atPath: path) {
        throw SandboxError("The file \(path) cannot be read. Check its permissions.")
      } else {
        store = seed()
      }
      var bytes: [UInt8] = []
      for record in store.allRecords { Self.append(record, of: store, to: &bytes) }
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      file = try AppendingFile(path)
    } catch let error as SandboxError {
      throw error
    } catch {
      throw SandboxError("The folder \(folder) cannot be used. Check that it can be written to.")
    }
    _ = store.takeRecords()
  }

  /// Appends what a call has changed.
  func append(_ records: [StoreRecord], of store: CalendarStore) throws(APIFault) {
    guard !records.isEmpty else { return }
    var bytes: [UInt8] = []
    for record in [.generation] + records { Self.append(record, of: store, to: &bytes) }
    guard file.append(bytes) else {
      throw APIFault(status: 500, reason: "internalError", message: "The sandbox cannot write to its folder.")
    }
  }

  private static func append(_ record: StoreRecord, of store: CalendarStore, to bytes: inout [UInt8]) {
    guard let json = store.json(of: record) else { return }
    bytes += json.json()
    bytes.append(0x0A)
  }

  private static func read(_ bytes: [UInt8], _ path: String, into store: inout CalendarStore) throws {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // The last line is empty unless a crash has cut it short.
    lines.removeLast()
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard let json = try? JSONValue(json: Array(line)), store.restore(json) else {
        throw SandboxError(
          "Line \(index + 1) of \(path) is damaged. Remove the file to start anew, or correct the line.")
      }
    }
  }
}
