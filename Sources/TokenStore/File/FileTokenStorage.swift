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
///   Within a process, whoever comes first is served first; between processes the order is not defined. A process that
///   dies gives its locks back. The directory may lie on a network file system only if that one shares `flock` locks
///   between its machines, as NFS does on Linux.
/// - **Nobody else's files are used**: a directory, record or lock that is a symbolic link, belongs to another user, is
///   open to others or has a second name is refused with ``TokenStorageError/Code/insecure``. Directories above are not
///   examined; do not choose one where others can rename.
/// - **A damaged record** is renamed to `….corrupted` and reported once, with
///   ``TokenStorageError/Code/corrupted``. A record that a newer release wrote is left alone:
///   ``TokenStorageError/Code/unavailable``.
///
/// The files are not encrypted: they are as safe as the user's other files. Any number of values may use the same
/// directory.
public struct FileTokenStorage: TokenStorage {
  private struct Place: Hashable {
    let directory: String
    let name: AccountFileName
  }

  // One queue for the process: only the first in line for an account asks the system for its lock.
  private static let turns = TurnQueue<Place>()

  /// Where the files are, as an absolute path.
  public let directory: String

  /// Creates a storage. Nothing is read or made before it is used.
  ///
  /// - Parameter directory: Where to keep the files. A relative path counts from the directory that is current now; `~`
  ///   is not expanded.
  public init(directory: String = Self.defaultDirectory) {
    self.directory = Self.absolute(directory)
  }

  /// Reads the record of `account`, without its lock.
  ///
  /// - Throws: ``TokenStorageError``.
  public func token(for account: String) async throws -> StoredToken? {
    let name = try AccountFileName(account)
    switch try await find(name) {
    case .nothing: return nil
    case .token(let token): return token
    case .damaged: return try await reportDamage(name)
    }
  }

  /// Runs `body` while this process has the lock of `account`, and no other of its tasks has access.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; ``TokenStorageError``; whatever `body`
  ///   throws.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let name = try AccountFileName(account)
    let place = Place(directory: directory, name: name)
    try await Self.turns.enter(place)
    defer { Self.turns.leave(place) }
    return try await withSlot(try await waitForSlot(name), body)
  }

  /// Returns the accounts whose records are in the directory, in no particular order. The records are not read.
  ///
  /// - Throws: ``TokenStorageError``.
  public func accounts() async throws -> [String] {
    let directory = directory
    let files = try await FileWork.run { try TokenDirectory.open(directory)?.fileNames() ?? [] }
    return files.compactMap(AccountFileName.account(ofRecord:))
  }
}

extension FileTokenStorage {
  private func find(_ name: AccountFileName) async throws -> TokenDirectory.Found {
    let directory = directory
    return try await FileWork.run { try TokenDirectory.open(directory)?.find(name) ?? .nothing }
  }

  /// Waits for other processes, by asking again and again: a blocking wait would hold a thread and could not be ended.
  private func waitForSlot(_ name: AccountFileName) async throws -> FileTokenSlot {
    let directory = directory
    var pause = Duration.milliseconds(2)
    while true {
      if let slot = try await FileWork.run({ try FileTokenSlot.acquire(name, in: directory) }) { return slot }
      try await Task.sleep(for: pause * Double.random(in: 0.5...1))
      pause = min(pause * 1.5, .milliseconds(50))
    }
  }

  private func withSlot<Output: Sendable>(
    _ slot: FileTokenSlot, _ body: (any TokenSlot) async throws -> Output
  ) async throws -> Output {
    do {
      let output = try await body(slot)
      await slot.release()
      return output
    } catch {
      await slot.release()
      throw error
    }
  }

  /// Sets a damaged record aside unless somebody has exclusive access, whom a plain read must not wait for. Without the
  /// lock the file might be a new one by now.
  private func reportDamage(_ name: AccountFileName) async throws -> StoredToken? {
    let directory = directory
    if let slot = try await FileWork.run({ try FileTokenSlot.acquire(name, in: directory) }) {
      return try await withSlot(slot) { try await $0.read() }
    }
    switch try await find(name) {
    case .nothing: return nil
    case .token(let token): return token
    case .damaged:
      throw TokenStorageError(
        .corrupted,
        "\(directory)/\(name.record) is damaged, and in use. It will be set aside. Sign in again.")
    }
  }
}
