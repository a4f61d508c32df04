// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import TokenStore

  /// System calls that fail, one at a time, in a traced process: no folder that a test can make has a disk that breaks.
  @Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: tracer), "strace is not installed"),
    .disabled(if: Sanitizer.isActive, "a sanitizer makes system calls of its own"))
  struct FileTokenStorageFaultTests {
    private let home: TemporaryDirectory
    private let storage: FileTokenStorage

    init() async throws {
      home = try TemporaryDirectory()
      storage = FileTokenStorage(path: home.path("tokens"))
      try await storage.write(token("old"), for: "account")
    }

    private struct Row: Sendable {
      let call: StorageCall
      /// The system call that fails, and which of those that one thread makes in the folder.
      let fault: (name: String, nth: Int)
      /// The failed action, and its place below the folder.
      let failure: (action: String, place: String)
      /// The token that is stored afterwards.
      let stored: String?
      /// The file names to trace, in place of the folder: a call that continues in another thread is counted from one there.
      let names: [String]?

      init(
        _ call: StorageCall, _ name: String, _ nth: Int = 1, _ failure: (String, String),
        leaving stored: String? = "old", tracing names: [String]? = nil
      ) {
        (self.call, fault, self.failure, self.stored, self.names) = (call, (name, nth), failure, stored, names)
      }
    }

    private static let status = "fstat,newfstatat,statx"
    private static let confirmation = "make the completed change durable in"
    private static let rows: [Row] = [
      Row(.read, "openat", 1, ("open the directory", "")),
      Row(.read, status, 1, ("examine", "")),
      Row(.read, "openat", 2, ("open", "/account.json")),
      Row(.read, status, 2, ("examine", "/account.json")),
      Row(.read, "read", 1, ("read", "/account.json")),
      Row(.read, "read", 2, ("read", "/account.json")),
      Row(.list, "openat", 2, ("list", "")),
      Row(.list, "fcntl", 1, ("list", "")),
      Row(.list, "getdents64", 1, ("list", "")),
      Row(.list, "getdents64", 2, ("list", "")),
      Row(.write, "openat", 2, ("open", "/account.lock")),
      Row(.write, status, 2, ("examine", "/account.lock")),
      Row(.write, "flock", 1, ("lock", "/account.lock")),
      Row(.write, "unlinkat", 1, ("remove", "/account.tmp")),
      Row(.write, "write", 1, ("write", "/account.tmp")),
      Row(.write, "fsync", 1, ("write", "/account.tmp")),
      Row(.write, "renameat,renameat2", 1, ("replace", "/account.json")),
      Row(.write, "fsync", 2, (confirmation, ""), leaving: "new"),
      Row(.remove, "unlinkat", 1, ("remove", "/account.json"), tracing: ["account.json"]),
      Row(.remove, "fsync", 1, (confirmation, ""), leaving: nil),
      Row(.check, "openat", 2, ("open", "/account.json")),
    ]

    @Test(arguments: rows.indices) func callThatFailsIsNamedAndLeavesTheOldRecordOrTheNew(_ index: Int) async throws {
      let row = Self.rows[index]
      let said = try await trace(
        row.call.rawValue, failing: row.fault.name, row.fault.nth, with: "EIO", tracing: row.names)
      let message =
        "Could not \(row.failure.action) \(storage.path)\(row.failure.place): \(text(ofError: EIO)). Check the disk."
      #expect(said == ["unavailable", message])
      #expect(try await storage.token(for: "account") == row.stored.map { token($0) })
      #expect(
        try names(in: storage.path) == (row.stored == nil ? ["account.lock"] : ["account.json", "account.lock"]))
      try await storage.write(token("next"), for: "account")
    }

    @Test(arguments: [
      ("ENOSPC", ENOSPC, "Free some space and try again."),
      ("EPERM", EPERM, "Check who owns it and its permissions."),
      ("EROFS", EROFS, "Choose a directory that can be written."),
      ("ENFILE", ENFILE, "Too many files are open. Close some and try again."),
      ("ENOLCK", ENOLCK, "Check the path."),
    ])
    func adviceFollowsTheReason(_ name: String, _ number: Int32, _ advice: String) async throws {
      let said = try await trace("write", failing: "flock", 1, with: name)
      #expect(said.last == "Could not lock \(storage.path)/account.lock: \(text(ofError: number)). \(advice)")
    }

    @Test(arguments: ["openat", "flock", "read", "write", "fsync"])
    func interruptedCallIsMadeAgain(_ name: String) async throws {
      #expect(try await trace("write", failing: name, 1, with: "EINTR") == ["done"])
      #expect(try await storage.token(for: "account") == token("new"))
    }

    /// Some file systems do not know how to synchronize a folder.
    @Test func folderThatCannotBeSynchronizedIsNoFailure() async throws {
      #expect(try await trace("write", failing: "fsync", 2, with: "EINVAL") == ["done"])
      #expect(try await trace("write", failing: "fsync", 1, with: "EINVAL").first == "unavailable")
    }

    /// Opening a file detects that it was created or removed meanwhile.
    @Test(
      arguments: [
        ("new", "mkdir", 1, "EIO", ("create the directory", EIO)),
        ("new", "mkdir", 1, "EEXIST", ("open the directory", ENOENT)),
        ("new/tokens", "mkdir", 2, "EIO", ("create the directory", EIO)),
        ("new/tokens", "mkdir", 2, "EEXIST", ("open the directory", ENOENT)),
      ] as [(String, String, Int, String, (String, Int32))])
    func folderThatCannotBeMadeIsNamed(
      _ name: String, _ systemCall: String, _ nth: Int, _ error: String, _ failure: (action: String, number: Int32)
    ) async throws {
      let said = try await trace("write", failing: systemCall, nth, with: error, in: home.path(name))
      let reason = text(ofError: failure.number) + (failure.number == EIO ? ". Check the disk." : ". Check the path.")
      #expect(said == ["unavailable", "Could not \(failure.action) \(home.path(name)): \(reason)"])
    }

    @Test func checkOfAFolderThatIsToBeMadeLooksAtTheOneAbove() async throws {
      let folder = home.path("a/b/tokens")
      for (systemCall, error, expected) in [
        ("access,faccessat,faccessat2", "EROFS", "Choose a directory that can be written."), ("statfs", "EIO", nil),
      ] {
        let said = try await trace("check", failing: systemCall, 1, with: error, in: folder, tracing: [home.path])
        let message = "Could not create the directory \(folder): \(text(ofError: EROFS)). "
        #expect(said == (expected.map { ["unavailable", message + $0] } ?? ["done"]))
      }
      #expect(try names(in: home.path) == ["tokens"])
    }

    /// The file of the check has no name that could be traced.
    @Test(arguments: [("write", "ENOSPC", ENOSPC), ("fsync", "EDQUOT", EDQUOT)])
    func checkTellsThatThereIsNoSpace(_ name: String, _ error: String, _ number: Int32) async throws {
      let said = try await trace("check", failing: name, 1, with: error, tracing: [])
      let reason = "\(text(ofError: number)). Free some space and try again."
      // The first line of the process is a write too.
      #expect(said.last == "Could not write to a file in \(storage.path): \(reason)")
      #expect(try names(in: storage.path) == ["account.json", "account.lock"])
    }

    /// A credential is spent only after everything that its result needs is open and durable.
    @Test(arguments: [
      ("openat", "EMFILE"), ("openat", "EROFS"), ("write", "ENOSPC"), ("fsync", "EDQUOT"), ("ftruncate", "ENOSPC"),
      ("lseek", "EROFS"), ("read", "EROFS"),
    ]) func nothingIsSpentWithoutRoomForItsResult(_ systemCall: String, _ error: String) async throws {
      for nth in 1...6 {
        try await storage.write(token("old"), for: "account")
        let said = try await trace("spend", failing: systemCall, nth, with: error)
        let stored = try await storage.token(for: "account")
        #expect(stored == token(said.contains("sent") ? "new" : "old"), "\(systemCall) \(nth): \(said)")
        #expect(try names(in: storage.path) == ["account.json", "account.lock"])
      }
    }

    /// Makes a call in a process in which a system call fails, and returns what it says.
    private func trace(
      _ call: String, failing systemCall: String, _ nth: Int, with error: String, in folder: String? = nil,
      tracing paths: [String]? = nil
    ) async throws -> [String] {
      let folder = folder ?? storage.path
      let paths = paths ?? [folder] + ["json", "tmp", "lock"].map { "\(folder)/account.\($0)" }
      let options = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=\(systemCall):error=\(error):when=\(nth)"]
      let program = try BuiltProgram.find("TestProcess").path
      let child = try ChildProcess(
        executable: URL(fileURLWithPath: tracer),
        options + paths.flatMap { ["-P", $0] } + [
          program, "call-storage", call, folder, "account",
        ])
      var said: [String] = []
      for await line in child.lines { said.append(line) }
      return said
    }
  }

  private let tracer = "/usr/bin/strace"
#endif
