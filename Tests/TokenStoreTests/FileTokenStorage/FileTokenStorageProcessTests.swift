// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TokenStore

/// Several processes on one directory, some of which are killed.
@Suite(.takesTurns) struct FileTokenStorageProcessTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage

  init() throws {
    home = try TemporaryDirectory()
    // On a busy machine, other tests can occupy all threads for longer than the default limit of a minute.
    storage = FileTokenStorage(path: home.path("tokens"), waitLimit: .seconds(3_600))
  }

  /// `ALMANAC_KILLS` is the number of kills; it defaults to 60.
  ///
  /// The waits are real: it is real time in which a process dies.
  @Test func aKilledWriterLeavesTheOldTokenOrTheNew() async throws {
    let kills = ProcessInfo.processInfo.environment["ALMANAC_KILLS"].flatMap { Int($0) } ?? 60
    let lanes = 4
    let leftovers = try await withThrowingTaskGroup { group in
      for lane in 0..<lanes {
        group.addTask {
          var random = SeededNumbers(seed: UInt64(lane))
          var leftovers = 0
          for _ in 0..<(kills / lanes) {
            let delay = Duration.microseconds(Int.random(in: 0...8_000, using: &random))
            if try await killWriter(of: "account\(lane)", after: delay) { leftovers += 1 }
          }
          return leftovers
        }
      }
      return try await group.reduce(0, +)
    }
    for lane in 0..<lanes { try await storage.withExclusiveAccess(to: "account\(lane)") { _ in } }
    #expect(try names(in: storage.path).allSatisfy { $0.hasSuffix(".json") || $0.hasSuffix(".lock") })
    #expect(leftovers > 0, "none of \(kills) kills came in the middle of a write")
  }

  /// Returns whether the writer left a temporary file.
  private func killWriter(of account: String, after delay: Duration) async throws -> Bool {
    let child = try ChildProcess("write-forever", storage.path, account)
    var lines = child.lines.makeAsyncIterator()
    var said = try #require(await lines.next().flatMap { Int($0) })
    // The delay chooses the instant of the kill within a write; nothing is waited for.
    try await Task.sleep(for: delay)
    await child.kill()
    while let number = await lines.next().flatMap({ Int($0) }) { said = number }
    let token = try await storage.token(for: account)
    let number = try #require(token.flatMap { Int($0.tokenType) })
    #expect(token == seriesToken(number), "every part of it is of the same write")
    #expect(number == said || number == said + 1, "what was said to be written is there")
    return FileManager.default.fileExists(atPath: "\(storage.path)/\(account).tmp")
  }

  @Test func stoppedHolderIsWaitedForOnlyAsLongAsTheLimitSays() async throws {
    let impatient = FileTokenStorage(directory: storage.directory, waitLimit: .milliseconds(20))
    let holder = try ChildProcess("hold-lock", storage.path, "account")
    for await line in holder.lines where line == "held" { break }
    // A queue does not wait for the limit one after the other, so that twenty callers end about as soon as one.
    let waiters = (0..<20).map { _ in Task { try await impatient.write(token("new"), for: "account") } }
    for waiter in waiters {
      let error = await #expect(throws: TokenStorageError.self) { try await waiter.value }
      #expect(error?.code == .busy)
    }
    await holder.kill()
    try await impatient.write(token("new"), for: "account")
  }

  /// More waiters than the concurrency pool has threads: if they blocked, nothing else would run.
  @Test func whoWaitsForAnotherProcessBlocksNobody() async throws {
    let accounts = (0..<32).map { "account\($0)" }
    let holder = try ChildProcess("hold-lock", storage.path, accounts[0])
    for await line in holder.lines where line == "held" { break }
    let waiters = (0..<64).map { _ in Task { try await storage.write(nil, for: accounts[0]) } }
    for account in accounts.dropFirst() { try await storage.write(token("new"), for: account) }
    for waiter in waiters.dropLast() {
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    await holder.kill()
    try await waiters.last?.value
  }

  @Test func processesLoseNoUpdate() async throws {
    let children = try (0..<8).map { _ in try ChildProcess("increment", storage.path, "account", "25") }
    for child in children { #expect(await child.exitStatus() == 0) }
    #expect(try await storage.token(for: "account")?.accessToken == Secret("200"))
  }

  @Test(arguments: [0, 100, 5_000])
  func aFullDiskLeavesTheOldRecord(_ room: Int) async throws {
    try await storage.write(token("old"), for: "account")
    let child = try ChildProcess("write", storage.path, "account", "20000", "022", "\(room)")
    var lines: [String] = []
    for await line in child.lines { lines.append(line) }
    #expect(await child.exitStatus() == 0)
    #expect(lines.first == "unavailable")
    #expect(lines.last?.contains("File too large (errno \(EFBIG)). Free some space") == true)
    #expect(try await storage.token(for: "account") == token("old"))
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }
}

/// The series that `TestProcess write-forever` writes.
private func seriesToken(_ number: Int) -> StoredToken {
  let text = String(repeating: "\(number);", count: 2_000)
  return StoredToken(accessToken: Secret(text), refreshToken: Secret(text)) { $0.tokenType = "\(number)" }
}
