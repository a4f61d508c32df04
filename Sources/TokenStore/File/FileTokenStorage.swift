// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
import Support

/// A token storage in files of this user, for command-line programs and for servers on one machine.
///
/// ```swift
/// let storage = FileTokenStorage()
/// try await storage.withExclusiveAccess(to: "me") { slot in try await slot.write(token) }
/// ```
///
/// - **One JSON file per account**, for names of any length, with permissions 0600, in a directory with permissions
///   0700, created on first use. A write creates a temporary file, which then replaces the record in one step. The
///   write is durable when the call returns. A killed process leaves the old record or the new one.
/// - **Exclusive access covers every process on the machine**: a lock file lies beside the record and is never removed.
///   Within a process, waiters are served in order of arrival. Between processes, the order is not defined. The system
///   releases the locks of a terminated process. The directory may be on a network file system only if it shares
///   `flock` locks between its machines, as NFS does on Linux.
/// - **No other user's files are used**: a directory, record or lock is refused with ``TokenStorageError/Code/insecure`` if it
///   is a symbolic link, belongs to another user, is accessible to others or has a second name. Parent directories are not
///   checked. Do not choose a directory whose parents others can change.
/// - **A damaged record** is renamed to `….corrupted` and reported once, with ``TokenStorageError/Code/corrupted``. A record of
///   a newer release is left unchanged: ``TokenStorageError/Code/newerFormat``.
///
/// The files are not encrypted: they are as safe as the user's other files. Any number of values may use the same directory.
public struct FileTokenStorage: TokenStorage {
  private let storage: LockedTokenStorage

  /// The directory of the files, as an absolute file URL.
  public var directory: URL { URL(filePath: storage.directory, directoryHint: .isDirectory) }

  /// The path of the ``directory``.
  package var path: String { storage.directory }

  /// Creates a storage.
  ///
  /// Nothing is read or created before the storage is used.
  ///
  /// - Parameters:
  ///   - directory: The directory of the files, as a file URL. A relative URL is resolved once, here.
  ///   - waitLimit: The maximum wait for another process with exclusive access, which may be stopped. Defaults to one
  ///     minute.
  public init(directory: URL = Self.defaultDirectory, waitLimit: Duration = .seconds(60)) {
    self.init(path: directory.path(percentEncoded: false), waitLimit: waitLimit)
  }

  /// Creates a storage in the directory at a path.
  package init(path: String, waitLimit: Duration = .seconds(60)) {
    storage = LockedTokenStorage(directory: Self.absolute(path), waitLimit: waitLimit)
  }

  /// Reads the record of `account`, without its lock.
  ///
  /// - Throws: ``TokenStorageError``.
  public func token(for account: String) async throws -> StoredToken? {
    try await storage.token(for: account)
  }

  /// Runs `body` while this process has the lock of `account`, and no other of its tasks has access.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits. ``TokenStorageError``, with code
  ///   ``TokenStorageError/Code/busy`` if another process keeps the lock for longer than the limit. Also any error of
  ///   `body`.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await storage.withExclusiveAccess(to: account, body)
  }

  /// Checks that the record and its lock could be replaced, and writes a file without a name to test whether there is space.
  ///
  /// A directory that does not exist is not created. Its nearest existing parent must allow its creation.
  ///
  /// - Throws: ``TokenStorageError``.
  public func checkWritable(_ account: String) async throws { try await storage.checkWritable(account) }

  /// Returns the accounts whose records are in the directory, in no particular order.
  ///
  /// A record is read only if its file name contains a shortened account name. Such a record is omitted if it is
  /// damaged or cannot be read. Every other record is listed, including an unreadable one.
  ///
  /// - Throws: ``TokenStorageError``.
  public func accounts() async throws -> [String] {
    try await storage.accounts()
  }
}

extension FileTokenStorage {
  /// The default directory of the tokens: `almanac/tokens` in the user's data directory.
  ///
  /// On Linux, the data directory is `$XDG_DATA_HOME`, or `~/.local/share` if the variable is unset or not an absolute path
  /// ([XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/)). On Apple platforms, it is
  /// `~/Library/Application Support`, within the app's container if it has one.
  public static var defaultDirectory: URL {
    URL(filePath: defaultPath(environment: ProcessInfo.processInfo.environment), directoryHint: .isDirectory)
  }

  package static func defaultPath(environment: [String: String]) -> String {
    #if canImport(Darwin)
      let data = URL.applicationSupportDirectory.path(percentEncoded: false)
    #else
      let data = BaseDirectory.data.path(environment: environment)
    #endif
    return absolute("\(data)/almanac/tokens")
  }

  /// Returns the absolute form of `path`, without a trailing slash or `/.`, which could hide a link.
  static func absolute(_ path: String) -> String {
    let path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
