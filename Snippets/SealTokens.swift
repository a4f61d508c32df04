// SPDX-License-Identifier: Apache-2.0

// Seal the records of a folder, replace the key, and read a record without its key.
import Foundation
import TokenStore
import TokenStoreSealed

let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID())", directoryHint: .isDirectory)
let folder = home.appending(path: "tokens", directoryHint: .isDirectory)
let keyFile = home.appending(path: "sealing-keys")
try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: home) }

/// Replaces the file of keys, which only its owner can read.
@MainActor func store(_ keys: [SealingKey]) throws {
  let file = keyFile.path(percentEncoded: false)
  // Private from the start.
  guard FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]) else {
    throw CocoaError(.fileWriteUnknown)
  }
  let handle = try FileHandle(forWritingTo: keyFile)
  try handle.write(contentsOf: Data(keys.map { $0.reveal() + "\n" }.joined().utf8))
  try handle.close()
}

// The folder has a record in plain text, from a time before the program sealed its records.
let token = StoredToken(accessToken: Secret("access"), refreshToken: Secret("refresh"))
try await FileTokenStorage(directory: folder).withExclusiveAccess(to: "me") { try await $0.write(token) }

let first = try SealingKey.generate("2026-11")
try store([first])

let keys = try SealingKeyRing(file: keyFile)
let storage = SealedTokenStorage(
  wrapping: FileTokenStorage(directory: folder), keys: keys, store: "tokens.example.com", plainRecords: .accepted)
let report = try await storage.reseal()
for failure in report.failures { print(failure.account, failure.error) }
print("sealed: \(report.resealed)")

// A new key, in front of the one that other records still need.
try store([SealingKey.generate("2027-05"), first])
let rotated = SealedTokenStorage(
  wrapping: FileTokenStorage(directory: folder), keys: try SealingKeyRing(file: keyFile), store: "tokens.example.com")
print("sealed again: \(try await rotated.reseal().resealed)")
print("read: \(try await rotated.token(for: "me") == token)")

do {
  _ = try await FileTokenStorage(directory: folder).token(for: "me")
} catch let error as TokenStorageError {
  print("without the key: \(error.code)")
}
