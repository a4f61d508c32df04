// SPDX-License-Identifier: Apache-2.0

/// Keeps tokens in files of this user, for command lines, and for servers on one machine.
///
/// ```swift
/// let storage = FileTokenStorage()
/// try await storage.withExclusiveAccess(to: "me") { slot in try await slot.write(token) }
/// ```
///
/// - **One JSON file an account**, 0600 in a directory 0700 that is made when first needed. A write goes to a temporary
///   file that replaces the record in one step, and is on the disk when the call returns. A killed process leaves the old
///   record or the new one.
/// - **Exclusive access reaches every process on the machine**: a lock file lies beside the record and is never removed.
///   Within a process, waiters are served in order of arrival; between processes the order is not defined. A process that
///   dies gives its locks back. The directory may lie on a network file system only if that one shares `flock` locks
///   between its machines, as NFS does on Linux.
/// - **No other user's files are used**: a directory, record or lock that is a symbolic link, belongs to another user, is
///   open to others or has a second name is refused with ``TokenStorageError/Code/insecure``. Directories above are not
///   examined; do not choose one where others can rename.
/// - **A damaged record** is renamed to `….corrupted` and reported once, with
///   ``TokenStorageError/Code/corrupted``. A record that a newer release wrote is left alone:
///   ``TokenStorageError/Code/unavailable``.
///
/// The files are not encrypted: they are as safe as the user's other files. Any number of values may use the same
/// directory.
public struct FileTokenStorage: TokenStorage {
  private let storage: LockedTokenStorage

  /// Where the files are, as an absolute path.
  public var directory: String { storage.directory }

  /// Creates a storage.
  ///
  /// Nothing is read or made before it is used.
  ///
  /// - Parameters:
  ///   - directory: Where to keep the files. A relative path counts from the directory that is current now; `~` is not
  ///     expanded.
  ///   - waitLimit: How long to wait for a process that has exclusive access, which may be stopped. Defaults to one minute.
  public init(directory: String = Self.defaultDirectory, waitLimit: Duration = .seconds(60)) {
    storage = LockedTokenStorage(directory: Self.absolute(directory), waitLimit: waitLimit)
  }

  /// Reads the record of `account`, without its lock.
  ///
  /// - Throws: ``TokenStorageError``.
  public func token(for account: String) async throws -> StoredToken? {
    try await storage.token(for: account)
  }

  /// Runs `body` while this process has the lock of `account`, and no other of its tasks has access.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; ``TokenStorageError``, with code
  ///   ``TokenStorageError/Code/busy`` if another process keeps the lock for longer than the limit; any error that `body` throws.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await storage.withExclusiveAccess(to: account, body)
  }

  /// Checks that the record and its lock could be replaced, and writes a file without a name to see whether there is space.
  ///
  /// A directory that does not exist is not made: the one above it must allow that.
  ///
  /// - Throws: ``TokenStorageError``.
  public func checkWritable(_ account: String) async throws { try await storage.checkWritable(account) }

  /// Returns the accounts whose records are in the directory, in no particular order.
  ///
  /// The records are not read.
  ///
  /// - Throws: ``TokenStorageError``.
  public func accounts() async throws -> [String] {
    try await storage.accounts()
  }
}
