// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import CalendarSync
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A database file with its connections: one for writing, and as many as needed for reading.
///
/// All calls block and throw `CalendarStoreError`.
final class SQLiteFile: Sendable {
  /// A connection, and its open file.
  private struct Opened {
    let connection: SQLiteConnection
    let identity: FileIdentity
  }

  /// The maximum number of connections kept for the next reads.
  private static let idleReaders = 4

  private let path: String
  private let writer = Mutex<Opened?>(nil)
  private let readers = Mutex<[Opened]>([])

  init(path: String) { self.path = path }

  /// Runs `body` with the connection that writes, and creates the file if necessary.
  func write<Output: Sendable>(_ body: (SQLiteConnection) throws -> Output) throws -> Output {
    try writer.withLock { writer in
      if let opened = writer, FileIdentity(path) != opened.identity { writer = nil }
      let opened: Opened
      if let current = writer {
        opened = current
      } else {
        opened = try reporting(nil) { try create() }
        writer = opened
      }
      do {
        return try reporting(opened.identity) { try body(opened.connection) }
      } catch let error as CalendarStoreError where error.code == .damaged {
        writer = nil
        throw error
      }
    }
  }

  /// Runs `body` with a connection that reads one state of the file, or returns `nil` if there is no file.
  func read<Output: Sendable>(_ body: (SQLiteConnection) throws -> Output) throws -> Output? {
    guard let identity = FileIdentity(path) else { return nil }
    guard identity.isPrivate else { throw CalendarStoreError.insecure }
    let idle = readers.withLock { readers in
      readers.removeAll { $0.identity != identity }
      return readers.popLast()
    }
    return try reporting(identity) {
      let opened: Opened
      if let idle {
        opened = idle
      } else {
        try checkFilesBeside()
        opened = Opened(connection: try SQLiteConnection(path: path, isReadOnly: true), identity: identity)
        guard try opened.connection.formatVersion != 0 else { return nil }
      }
      let output = try opened.connection.withSnapshot { try body(opened.connection) }
      readers.withLock { if $0.count < Self.idleReaders { $0.append(opened) } }
      return output
    }
  }

  /// Closes the connections not in use.
  func close() {
    readers.withLock { $0 = [] }
    writer.withLock { $0 = nil }
  }

  /// Opens the file for writing, and creates it with its tables if necessary.
  private func create() throws -> Opened {
    // The system would use the path up to the NUL.
    guard !path.utf8.contains(0) else { throw FileAccessError(path, EINVAL) }
    if let folder = path.lastIndex(of: "/").map({ String(path[..<$0]) }), !folder.isEmpty {
      try FilePermissions.makePrivateFolder(folder)
    }
    // SQLite would use the process's mask. The files beside it get the same mode. An existing file is not opened: closing a descriptor
    // would release the locks of all connections of this process.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      _ = FileDescriptor(owning: descriptor)
    } else if errno != EEXIST {
      throw FileAccessError(path)
    }
    guard let identity = FileIdentity(path) else { throw FileAccessError(path, EEXIST) }
    guard identity.isPrivate else { throw CalendarStoreError.insecure }
    try checkFilesBeside()
    let connection = try SQLiteConnection(path: path, isReadOnly: false)
    try connection.createTables()
    return Opened(connection: connection, identity: identity)
  }

  /// Checks that SQLite finds no log of another user, which it would read and write.
  private func checkFilesBeside() throws {
    for file in ["\(path)-wal", "\(path)-shm"] where FileIdentity(file)?.isPrivate != true {
      var status = stat()
      // Safe: lstat(2) reads the path and writes one `stat` during the call.
      guard unsafe lstat(file, &status) != 0, errno == ENOENT else { throw CalendarStoreError.insecure }
    }
  }

  /// Runs `body`, and translates its errors.
  ///
  /// A damaged file is set aside.
  private func reporting<Output>(_ identity: FileIdentity?, _ body: () throws -> Output) throws -> Output {
    do {
      return try body()
    } catch let fault as SQLiteFault {
      guard fault.isOfDamage else { throw CalendarStoreError(fault) }
      throw CalendarStoreError.damaged(setAside(identity))
    } catch let error as FileAccessError {
      throw CalendarStoreError(
        error.number == ENOSPC ? .full : .unavailable,
        "The store's file or folder cannot be created, or is no regular file. Choose another one.")
    }
  }

  /// Renames a damaged file, unless another process has done so.
  ///
  /// - Returns: Whether the file was renamed.
  private func setAside(_ identity: FileIdentity?) -> Bool {
    guard let current = FileIdentity(path), identity == nil || identity == current else { return false }
    let name = "\(path).damaged-\(current.inode)"
    // Safe, as below: rename(2) reads both paths during the call.
    guard unsafe rename(path, name) == 0 else { return false }
    // A new file must not use the log of the old one.
    for ending in ["-wal", "-shm"] { _ = unsafe rename(path + ending, name + ending) }
    return true
  }
}

/// The identity of a file, which changes if another file of the same name replaces it, or if its access changes.
private struct FileIdentity: Sendable, Equatable {
  let device: UInt64
  let inode: UInt64
  /// Whether the file belongs to this user and no other user has access to it.
  let isPrivate: Bool

  /// Reads the identity of the file at a path, or returns `nil` if it is not a regular file, or is a symbolic link.
  init?(_ path: String) {
    var status = stat()
    // Safe: lstat(2) reads the path and writes one `stat` during the call.
    guard !path.utf8.contains(0), unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    isPrivate = status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}

extension SQLiteConnection {
  /// The version of the tables, or 0 for a new file.
  ///
  /// - Throws: `CalendarStoreError` with code `unavailable` if a newer release wrote them, or ``SQLiteFault``.
  var formatVersion: Int {
    get throws {
      let version = Int(try query("PRAGMA user_version").first?[0].integer ?? 0)
      guard version <= SQLiteCalendarStore.formatVersion else {
        throw CalendarStoreError(
          .unavailable,
          "The store has the format \(version) of a newer release. This release supports \(SQLiteCalendarStore.formatVersion). Update the program, or use another file."
        )
      }
      return version
    }
  }

  /// Creates the tables of a new file.
  func createTables() throws {
    // Readers and a writer do not wait for each other. Every commit waits for the disk.
    try query("PRAGMA journal_mode = WAL")
    try query("PRAGMA synchronous = FULL")
    guard try formatVersion == 0 else { return }
    try withTransaction {
      // Another process may have created the tables meanwhile.
      guard try formatVersion == 0 else { return }
      try query(
        """
        CREATE TABLE collection (
          number INTEGER PRIMARY KEY, account BLOB NOT NULL, kind INTEGER NOT NULL, calendar BLOB NOT NULL, state BLOB NOT NULL,
          UNIQUE (account, kind, calendar)
        )
        """)
      try query(
        """
        CREATE TABLE resource (
          number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id BLOB NOT NULL, series BLOB, span_start INTEGER, span_end INTEGER,
          is_long INTEGER, is_cancelled INTEGER, updated INTEGER, full_pass INTEGER NOT NULL, json BLOB NOT NULL,
          UNIQUE (collection, id)
        )
        """)
      try query("CREATE INDEX resource_series ON resource (collection, series) WHERE series IS NOT NULL")
      try query(
        """
        CREATE INDEX resource_order ON resource (collection, span_start, id, span_end, is_long, is_cancelled)
        WHERE span_start IS NOT NULL
        """)
      try query("CREATE INDEX resource_long ON resource (collection, span_end, span_start) WHERE is_long = 1")
      try query("CREATE INDEX resource_updated ON resource (collection, updated) WHERE updated IS NOT NULL")
      try query(
        "CREATE TABLE address (address BLOB NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (address, event)) WITHOUT ROWID"
      )
      try query("CREATE INDEX address_event ON address (event)")
      // The text has its final form: the tokenizer only separates at spaces.
      try query("CREATE VIRTUAL TABLE event_words USING fts5(words, columnsize = 0, tokenize = 'ascii')")
      try query("PRAGMA user_version = \(SQLiteCalendarStore.formatVersion)")
    }
  }
}

extension SQLiteFault {
  static let corrupt = SQLiteFault(SQLITE_CORRUPT, 0)

  fileprivate var isOfDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}

extension CalendarStoreError {
  fileprivate init(_ fault: SQLiteFault) {
    switch fault.primaryCode {
    case SQLITE_FULL: self = .noSpace
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(fault.systemError): self = .noSpace
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .unavailable,
        "Another process writes the store for too long. If it is stopped, resume or end it. Then try again.")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN:
      self.init(
        .unavailable, "The store's file cannot be opened for writing. Check its permissions and those of its folder.")
    default:
      self.init(.unavailable, "The store's file cannot be used (SQLite error \(fault.code)). Try again later.")
    }
  }

  private static let noSpace = CalendarStoreError(
    .full,
    "There is no space left for the store. What was stored before is kept. Free some space, then synchronize again.")

  fileprivate static let insecure = CalendarStoreError(
    .unavailable,
    "The store's file or its log belongs to another user, or other users have access to it. If it is yours, run chmod 600 on it. Otherwise, use another file."
  )

  fileprivate static func damaged(_ isSetAside: Bool) -> CalendarStoreError {
    CalendarStoreError(
      .damaged,
      isSetAside
        ? "The store's file was damaged, and has been renamed. Synchronize again to fill a new one."
        : "The store's file is damaged. Synchronize again to fill a new one.")
  }
}
