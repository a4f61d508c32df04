// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension TokenDirectory: TokenRecords {
  func read(_ name: AccountFileName) throws -> [UInt8]? {
    guard let file = try open(name.record, O_RDONLY) else { return nil }
    guard let bytes = file.read(limit: TokenRecord.maximumSize) else {
      throw TokenStorageError.system(errno, "read", location(of: name))
    }
    return bytes
  }

  /// Takes the account's lock if it is free, and removes the temporary file of a killed writer.
  ///
  /// The lock file is never removed: two processes with locks on two files of the same name would both have access. It
  /// is opened again for every attempt, so a file removed by another process is not waited for.
  func lock(_ name: AccountFileName) throws -> FileDescriptor? {
    let file = try make(name.lock, O_RDWR)
    guard retrying({ Int(flock(file.number, LOCK_EX | LOCK_NB)) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw TokenStorageError.system(errno, "lock", "\(path)/\(name.lock)") }
      return nil
    }
    guard let status = file.status(), status.st_nlink > 0 else { return nil }
    try remove(name.temporary)
    return file
  }

  func replace(_ name: AccountFileName, with record: [UInt8]) throws {
    guard record.count <= TokenRecord.maximumSize else {
      throw TokenStorageError(
        .unavailable, "The token is too large to store: \(record.count) bytes of at most \(TokenRecord.maximumSize).")
    }
    // If the directory was removed, a token that a server has issued is stored in a new directory at the path. If the path is not
    // safe to use, this directory is tried: it may still exist.
    if reservation.withLock({ $0 != nil }), let other = try? replacement() {
      return try other.replace(name, with: record)
    }
    do {
      try writeTemporary(name, record)
      try rename(name.temporary, to: name.record)
    } catch {
      _ = try? remove(name.temporary)
      throw error
    }
    try synchronize()
  }

  func remove(_ name: AccountFileName) throws {
    if try remove(name.record) { try synchronize() }
  }

  func setAside(_ name: AccountFileName) throws -> String {
    let aside = name.setAside()
    // Fails if there is such a file. The rename then replaces the new, empty file.
    _ = try make(aside, O_WRONLY | O_EXCL)
    try rename(name.record, to: aside)
    try synchronize()
    return "\(path)/\(aside)"
  }

  func location(of name: AccountFileName) -> String { "\(path)/\(name.record)" }

  func accounts() throws -> [String] {
    try fileNames().compactMap { account(of: AccountFileName.meaning(ofRecord: $0)) }
  }

  func reserve(_ name: AccountFileName) throws {
    try reservation.withLock { reservation in
      guard reservation == nil else { return }
      let path = "\(path)/\(name.temporary)"
      let file = try make(name.temporary, O_WRONLY | O_EXCL)
      do {
        guard file.reserve(TokenRecord.maximumSize) else {
          throw TokenStorageError.system(errno, "reserve space for a record in", path)
        }
        try synchronize()
      } catch {
        _ = try? remove(name.temporary)
        throw error
      }
      reservation = consume file
    }
  }

  func release(_ name: AccountFileName) {
    reservation.withLock { reservation in
      guard reservation != nil else { return }
      reservation = nil
      _ = try? remove(name.temporary)
    }
  }

  /// Writes the temporary file, into the reserved space if there is any.
  private func writeTemporary(_ name: AccountFileName, _ bytes: [UInt8]) throws {
    let isWritten = reservation.withLock { reservation -> Bool? in
      guard let file = reservation.take() else { return nil }
      return file.replaceContent(with: bytes)
    }
    switch isWritten {
    case true?: return
    // A file system that copies on write may need the space of the reservation.
    case false?: try remove(name.temporary)
    case nil: break
    }
    guard try make(name.temporary, O_WRONLY | O_EXCL).replaceContent(with: bytes) else {
      throw TokenStorageError.system(errno, "write", "\(path)/\(name.temporary)")
    }
  }
}
