// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let path: String

  /// - Parameter parent: The folder to make it in. Defaults to the process's folder for temporary files.
  init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
    path = "\(parent)/almanac-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }
}

func contents(_ path: String) throws -> Data {
  try Data(contentsOf: URL(fileURLWithPath: path))
}

func names(in path: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}

func permissions(_ path: String) throws -> Int {
  let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
  return (value as? NSNumber)?.intValue ?? -1
}

func setPermissions(_ permissions: Int, _ path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
}

/// Puts a file there as this process could have: which no other user can open.
func put(_ data: Data, at path: String) throws {
  try data.write(to: URL(fileURLWithPath: path))
  try setPermissions(0o600, path)
}
