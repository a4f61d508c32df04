#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What is done to one account's files. All but `find` is for the holder of the account's lock only.
extension TokenDirectory {
  /// No token comes near this; whatever is larger is not a record.
  static let maximumRecordSize = 1 << 20

  /// A record as it was found.
  enum Found {
    case nothing
    case token(StoredToken)
    case damaged
  }

  /// Reads a record. Another process may replace it meanwhile; what is returned is then the old record or the new one.
  ///
  /// - Throws: ``TokenStorageError``, also if a newer release wrote the record.
  func find(_ name: AccountFileName) throws -> Found {
    guard let file = try open(name.record, O_RDONLY) else { return .nothing }
    guard let bytes = file.read(limit: Self.maximumRecordSize) else {
      throw TokenStorageError.system(errno, "read", "\(path)/\(name.record)")
    }
    guard bytes.count <= Self.maximumRecordSize else { return .damaged }
    switch TokenRecord.decode(Data(bytes)) {
    case .token(let token): return .token(token)
    case .damaged: return .damaged
    case .newer(let version):
      throw TokenStorageError(
        .unavailable,
        """
        \(path)/\(name.record) was written by a newer release (format \(version), and this one knows \
        \(TokenRecord.currentVersion)). It was left as it is. Update the program, or use another directory.
        """)
    }
  }

  /// Takes the account's lock if it is free, and clears away what a killed writer left behind.
  ///
  /// The lock file is never removed: two processes that lock two files of the same name would both believe to be alone.
  /// It is opened anew at every attempt, so that one removed by somebody else is not waited for.
  func lock(_ name: AccountFileName) throws -> OpenFile? {
    guard let file = try open(name.lock, O_RDWR | O_CREAT) else {
      throw TokenStorageError.system(ENOENT, "make", "\(path)/\(name.lock)")
    }
    guard retrying({ Int(flock(file.descriptor, LOCK_EX | LOCK_NB)) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw TokenStorageError.system(errno, "lock", "\(path)/\(name.lock)") }
      return nil
    }
    guard let status = file.status(), status.st_nlink > 0 else { return nil }
    try remove(name.temporary)
    return file
  }

  /// Replaces the record: at every instant a power cut leaves either the old or the new one.
  func replace(_ name: AccountFileName, with token: StoredToken) throws {
    let bytes = Array(try TokenRecord.encode(token))
    guard bytes.count <= Self.maximumRecordSize else {
      throw TokenStorageError(
        .unavailable, "The token is too large to be kept: \(bytes.count) bytes, where \(Self.maximumRecordSize) fit.")
    }
    do {
      try writeTemporary(name, bytes)
      try rename(name.temporary, to: name.record)
    } catch {
      _ = try? remove(name.temporary)
      throw error
    }
    try synchronize()
  }

  /// Removes the record, for good when the call returns.
  func remove(_ name: AccountFileName) throws {
    if try remove(name.record) { try synchronize() }
  }

  /// Renames a damaged record to a name that nothing has yet.
  ///
  /// - Returns: The path where it is now.
  func setAside(_ name: AccountFileName) throws -> String {
    let aside = name.setAside(.random(in: .min ... .max))
    // Fails if there is such a file. The rename then replaces the empty one.
    _ = try open(aside, O_WRONLY | O_CREAT | O_EXCL)
    try rename(name.record, to: aside)
    try synchronize()
    return "\(path)/\(aside)"
  }

  private func writeTemporary(_ name: AccountFileName, _ bytes: [UInt8]) throws {
    guard let file = try open(name.temporary, O_WRONLY | O_CREAT | O_EXCL) else {
      throw TokenStorageError.system(ENOENT, "make", "\(path)/\(name.temporary)")
    }
    guard file.write(bytes), file.synchronize() else {
      throw TokenStorageError.system(errno, "write", "\(path)/\(name.temporary)")
    }
  }
}
