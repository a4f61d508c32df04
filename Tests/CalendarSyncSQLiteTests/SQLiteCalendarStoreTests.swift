// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import CalendarSyncSQLite
import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Folders of stores, which are removed with this value.
private final class StoreFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)/deep")

  var file: URL { url.appending(path: "calendars.sqlite") }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}

private let collection = SyncCollection.events(calendarID: "calendar")

extension CalendarStore {
  /// Stores events as the next state of their collection.
  @discardableResult
  fileprivate func put(_ ids: [String], summary: String = "") async throws -> [SyncChange] {
    let old = try await state(of: collection, for: "me")
    let steps = ids.map { id in
      SyncTransaction.Step.put(
        .event(
          Event {
            $0.id = id
            $0.summary = summary
          }))
    }
    return try await apply(
      SyncTransaction(
        account: "me", collection: collection, expected: old,
        state: SyncState(query: "", fullPass: (old?.fullPass ?? 0) + 1), steps: steps))
  }

  fileprivate var ids: [String] {
    get async throws { try await self.events(in: "calendar", for: "me").reduce(into: []) { $0.append($1.id ?? "") } }
  }
}

@Suite(.takesTurns) struct SQLiteCalendarStoreTests {
  private let folder = StoreFolder()
  private let store: SQLiteCalendarStore

  init() { store = SQLiteCalendarStore(file: folder.file) }

  private func mode(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(arguments: CalendarStoreConformance.checks)
  func keepsThePromise(_ check: CalendarStoreConformance.Check) async throws {
    let kit = CalendarStoreConformance {
      SQLiteCalendarStore(file: folder.url.appending(path: UUID().uuidString))
    } reopen: {
      SQLiteCalendarStore(file: $0.file)
    }
    try await kit.run(check)
  }

  @Test func readingCreatesNothing() async throws {
    #expect(try await store.collections(for: "me").isEmpty)
    #expect(try await store.state(of: collection, for: "me") == nil)
    #expect(try await store.ids.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.url.path(percentEncoded: false)))
  }

  @Test func onlyTheOwnerCanReadTheFiles() async throws {
    let mask = umask(0)
    defer { umask(mask) }
    try await store.put(["a"])
    let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    #expect(files.count == 3)
    for file in files { #expect(try mode(file) == 0o600, "\(file.lastPathComponent)") }
    #expect(try mode(folder.url) == 0o700)
  }

  /// Another user could have created the file before, or read what is written to it.
  @Test(arguments: [(0o644, getuid()), (0o620, getuid()), (0o600, 65_534)] as [(mode_t, uid_t)])
  func fileThatOtherUsersCanAccessIsRefused(_ mode: mode_t, _ owner: uid_t) async throws {
    try await store.put(["a"])
    let path = folder.file.path(percentEncoded: false)
    guard unsafe chown(path, owner, getgid()) == 0 else { return }  // Only root can change the owner.
    try #require(unsafe chmod(path, mode) == 0)
    for store in [store, SQLiteCalendarStore(file: folder.file)] {
      let writing = await #expect(throws: CalendarStoreError.self) { try await store.put(["b"]) }
      let reading = await #expect(throws: CalendarStoreError.self) { try await store.ids }
      for error in [writing, reading] {
        #expect(error?.code == .unavailable && error?.message.contains("chmod 600") == true)
      }
    }
  }

  /// SQLite would write to it, and read it.
  @Test(arguments: ["-wal", "-shm"]) func logThatOtherUsersCanAccessIsRefused(_ ending: String) async throws {
    try await store.put(["a"])
    await store.close()
    let log = folder.file.path(percentEncoded: false) + ending
    #expect(FileManager.default.createFile(atPath: log, contents: nil, attributes: [.posixPermissions: 0o666]))
    let writing = await #expect(throws: CalendarStoreError.self) { try await store.put(["b"]) }
    let reading = await #expect(throws: CalendarStoreError.self) { try await store.ids }
    for error in [writing, reading] {
      #expect(error?.code == .unavailable && error?.message.contains("chmod 600") == true)
    }
  }

  @Test func symbolicLinkIsNotFollowed() async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let target = folder.url.appending(path: "other")
    try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: target)
    let error = await #expect(throws: CalendarStoreError.self) { try await store.put(["a"]) }
    #expect(error?.code == .unavailable)
    #expect(!FileManager.default.fileExists(atPath: target.path(percentEncoded: false)))
  }

  #if os(Linux)
    /// The number of locks that this process has on the file.
    private var lockCount: Int {
      get throws {
        let path = folder.file.path(percentEncoded: false)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let inode = try #require((attributes[.systemFileNumber] as? NSNumber)?.intValue)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
          .filter { $0.contains(" \(getpid()) ") && $0.contains(":\(inode) ") }.count
      }
    }

    /// The system releases all locks of a process on a file when the process closes any descriptor of the file.
    @Test func anotherStoreOfTheFileReleasesNoLock() async throws {
      try await store.put(["a"])
      let locks = try lockCount
      #expect(locks > 0)
      try await SQLiteCalendarStore(file: folder.file).put(["b"])
      #expect(try lockCount >= locks)
      #expect(try await store.put(["c"]).count == 1)
    }
  #endif

  @Test func contentSurvivesTheProcessThatWroteIt() async throws {
    for _ in 1...4 {
      let process = try ChildProcess("store-forever", folder.file.path(percentEncoded: false), "50")
      var (last, count) = (0, 0)
      for await line in process.lines {
        last = try #require(Int(line))
        count += 1
        if count == 7 { await process.kill() }
      }
      let state = try #require(try await store.state(of: collection, for: "me"))
      // The process can have stored one more without saying so.
      #expect(state.fullPass == last || state.fullPass == last + 1)
      var summaries: Set<String> = []
      for try await event in store.events(in: "calendar", for: "me") { summaries.insert(event.summary ?? "") }
      #expect(summaries == [String(repeating: "\(state.fullPass);", count: 200)])
      #expect(try await store.ids.count == 50)
    }
  }

  @Test func processesSeeEachOthersTransactions() async throws {
    let process = try ChildProcess("store-forever", folder.file.path(percentEncoded: false), "3")
    var seen = 0
    for await line in process.lines.prefix(5) {
      let number = try #require(Int(line))
      let state = try #require(try await store.state(of: collection, for: "me"))
      #expect(state.fullPass >= number && state.fullPass >= seen)
      seen = state.fullPass
    }
    await process.kill()
    // This process can write too, although the other one has never closed the file.
    #expect(try await store.put(["other"]).count == 1)
  }

  @Test func closedFileIsWholeWithoutItsLog() async throws {
    try await store.put(["a"])
    #expect(try await store.ids == ["a"])
    await store.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false))
    #expect(names == ["calendars.sqlite"])
    #expect(try await store.ids == ["a"])
    try await store.put(["b"])
    #expect(try await store.ids == ["a", "b"])
  }

  // MARK: Damage

  @Test(arguments: [0, 16, 100, 4096])
  func damagedFileIsSetAsideAndFilledAgain(offset: UInt64) async throws {
    let ids = (0..<300).map { "event\($0)" }
    try await store.put(ids, summary: String(repeating: "content", count: 50))
    await store.close()
    let handle = try FileHandle(forUpdating: folder.file)
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 12_000))
    try handle.close()
    var codes: [CalendarStoreError.Code] = []
    for _ in 1...3 {
      do {
        try await store.put(ids)
        break
      } catch let error as CalendarStoreError {
        codes.append(error.code)
      }
    }
    #expect(codes == [.damaged])
    #expect(try await store.ids == ids.sorted())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false))
    #expect(names.contains { $0.hasPrefix("calendars.sqlite.damaged-") })
  }

  @Test func storeOfANewerReleaseIsLeftUnchanged() async throws {
    try await store.put(["a"])
    await store.close()
    // The version is at byte 60 of the file, in big-endian order.
    let handle = try FileHandle(forUpdating: folder.file)
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: Data([0, 0, 0, 99]))
    try handle.close()
    let before = try Data(contentsOf: folder.file)
    for _ in 1...2 {
      let error = await #expect(throws: CalendarStoreError.self) { try await store.put(["b"]) }
      #expect(error?.code == .unavailable && error?.message.contains("newer release") == true)
      await #expect(throws: CalendarStoreError.self) { _ = try await store.ids }
    }
    #expect(try Data(contentsOf: folder.file) == before)
  }

  @Test func pathWithNULIsRefused() async throws {
    try await store.put(["a"])
    let other = SQLiteCalendarStore(file: URL(filePath: folder.file.path() + "\u{0}x"))
    try #require(other.file.path(percentEncoded: false).utf8.contains(0))
    let error = await #expect(throws: CalendarStoreError.self) { try await other.put(["b"]) }
    #expect(error?.code == .unavailable)
    #expect(try await store.ids == ["a"])
  }

  @Test func fullDiskLosesNothing() async {
    // In a process of its own, since the limit is for all its files.
    await #expect(processExitsWith: .success) {
      let folder = StoreFolder()
      let store = SQLiteCalendarStore(file: folder.file)
      do {
        try await store.put(["a", "b"])
        var limit = rlimit(rlim_cur: 200_000, rlim_max: .max)
        signal(SIGXFSZ, SIG_IGN)
        // Safe, as below: setrlimit(2) reads one `rlimit` during the call.
        unsafe setrlimit(limitOfFileSize, &limit)
        let ids = (0..<500).map { "event\($0)" }
        let error = await #expect(throws: CalendarStoreError.self) {
          try await store.put(ids, summary: String(repeating: "content", count: 500))
        }
        #expect(error?.code == .full)
        #expect(try await store.ids == ["a", "b"])
        limit.rlim_cur = .max
        unsafe setrlimit(limitOfFileSize, &limit)
        try await store.put(ids)
        #expect(try await store.ids.count == 502)
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func fileThatIsReplacedIsOpenedAgain() async throws {
    try await store.put(["a"])
    #expect(try await store.ids == ["a"])
    for ending in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: folder.file.path(percentEncoded: false) + ending)
    }
    #expect(try await store.ids.isEmpty)
    try await store.put(["b"])
    #expect(try await store.ids == ["b"])
  }
}

#if canImport(Glibc)
  private let limitOfFileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let limitOfFileSize = RLIMIT_FSIZE
#endif
