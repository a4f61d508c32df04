// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import OAuthJOSE
import Synchronization
import TestSupport
import Testing
import TokenStore
import TokenStoreSealed

@Suite(.takesTurns) struct SealedTokenStorageTests {
  @Test func recordIsSealedInTheDocumentedForm() async throws {
    let home = try TemporaryDirectory()
    let files = FileTokenStorage(directory: home.url)
    let storage = sealed(files, try ring())
    try await storage.write(full)
    #expect(try await storage.token(for: "account") == full)
    #expect(try await storage.read() == full)
    #expect(try await storage.accounts() == ["account"])

    let data = try Data(contentsOf: home.url.appending(path: "account.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(json.keys) == ["sealed", "version"])
    #expect(json["version"] as? Int == 3)
    let text = try #require(json["sealed"] as? String)
    #expect(text == (try await files.sealedText()))
    #expect(text.firstMatch(of: /^new\.[A-Za-z0-9_-]+$/) != nil)
    #expect(try SealedParts(text).text == text)
  }

  /// A record that every later release has to open.
  ///
  /// Another implementation of the documented form made it, with the key 00 01 … 1F for the store "store" and the account "é".
  @Test func recordOfThisReleaseOpens() async throws {
    let base = InMemoryTokenStorage(["é": StoredToken(sealed: Self.record)])
    let keys = try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))])
    #expect(try await sealed(base, keys).token(for: "é") == token("access"))
  }

  private static let record = """
    k.Yw3NKWbEM2ZkZWZnaGlqa2xtbm9wcXJzdHV2d3h5enu557__2OPAXmBcpqpgRpoiC0UVW4c6RM0q_ntDxLHGwlEY730lOinGAS0_H6qOSrfd\
    1xAsSBT0nxYo-ZwOrU-2Nls5MBNl2M53gWpEdg0AdQBatbKk8_YvfJ0zC3IGOwPnTrFio2EuAsGRT-\
    uHzPSiruhaOwJt98DhVDHA5Vfwr8AGJInGpzpvyG9i
    """

  @Test func nothingInTheFilesShowsAToken() async throws {
    let home = try TemporaryDirectory()
    let storage = sealed(FileTokenStorage(directory: home.url), try ring())
    try await storage.write(full)
    try await storage.write(full, for: "other")
    _ = try await storage.read()
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: home.url.path(percentEncoded: false)) {
      let bytes = Array(try Data(contentsOf: home.url.appending(path: name)))
      count += bytes.count
      let text = String(decoding: bytes, as: UTF8.self)
      // Also without the encoding of the sealed text.
      let inner = text.split(separator: ".").dropFirst().first?.split(separator: "\"").first.flatMap {
        Base64URL.decode($0)
      }
      for content in [text, String(decoding: inner ?? [], as: UTF8.self)] {
        for secret in ["visible", "ya29", "PRIVATE KEY", "accessToken", "1767225600"] {
          #expect(!content.contains(secret), "\(name) shows \(secret).")
        }
      }
    }
    #expect(count > 1_000)
  }

  @Test func recordsOfOneTokenDiffer() async throws {
    let base = InMemoryTokenStorage()
    let storage = sealed(base, try ring())
    var texts: Set<String> = []
    for _ in 1...100 {
      try await storage.write(full)
      texts.insert(try await base.sealedText())
    }
    #expect(texts.count == 100)
    #expect(Set(try texts.map { try SealedParts($0).content[8..<32] }).count == 100)
  }

  @Test func readerWithoutTheKeyGetsATypedErrorAndReplacesNothing() async throws {
    let home = try TemporaryDirectory()
    let files = FileTokenStorage(directory: home.url)
    try await sealed(files, try ring()).write(full)
    try await expectRefusal(.sealed, of: files, over: files)

    let memory = InMemoryTokenStorage()
    try await sealed(memory, try ring()).write(full)
    try await expectRefusal(.sealed, of: memory, over: memory)
  }

  @Test func removalIsDeliberate() async throws {
    let home = try TemporaryDirectory()
    let bases: [any TokenStorage] = [FileTokenStorage(directory: home.url), InMemoryTokenStorage()]
    for base in bases {
      let storage = sealed(base, try newRing())
      try await sealed(base, try oldRing()).write(full)
      try await expectRefusal(.unknownKey, of: storage, over: base)
      try await storage.write(nil)
      try await storage.write(full)
      #expect(try await storage.read() == full)
      try await base.write(nil)
      #expect(try await storage.token(for: "account") == nil)
    }
  }

  @Test func recordInPlainTextIsRefusedUnlessItIsAccepted() async throws {
    let base = InMemoryTokenStorage(["account": full])
    try await expectRefusal(.notSealed, of: sealed(base, try ring()), over: base)
    #expect(try await base.token(for: "account") == full)

    let accepting = sealed(base, try ring(), plainRecords: .accepted)
    try await accepting.checkWritable("account")
    #expect(try await accepting.token(for: "account") == full)
    #expect(try await base.token(for: "account") == full)
    try await accepting.write(token("next"))
    #expect(try await sealed(base, try ring()).read() == token("next"))
  }

  @Test func damagedFileIsSetAsideAndThenReplaced() async throws {
    let home = try TemporaryDirectory()
    let storage = sealed(FileTokenStorage(directory: home.url), try ring())
    try await storage.write(full)
    _ = try home.file("account.json", #"{"version":3}"#)
    try await storage.checkWritable("account")
    _ = try home.file("account.json", #"{"version":3,"sealed":"#)
    try await storage.write(full)
    #expect(try await storage.read() == full)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.url.path(percentEncoded: false))
    #expect(names.filter { $0.hasSuffix(".corrupted") }.count == 2)
  }

  @Test func newerRecordOfTheWrappedStorageStays() async throws {
    let home = try TemporaryDirectory()
    let storage = sealed(FileTokenStorage(directory: home.url), try ring())
    try await storage.write(full)
    let newer = #"{"version":4,"sealed":"x.y"}"#
    _ = try home.file("account.json", newer)
    for write in [full, nil] {
      let error = try await #require(throws: TokenStorageError.self) { try await storage.write(write) }
      #expect(error.code == .newerFormat)
    }
    #expect(try String(contentsOf: home.url.appending(path: "account.json"), encoding: .utf8) == newer)
  }

  @Test func sealedStorageCanWrapASealedStorage() async throws {
    let base = InMemoryTokenStorage()
    let inner = sealed(base, try oldRing(), store: "inner")
    let outer = sealed(inner, try newRing(), store: "outer")
    for number in 1...3 {
      try await outer.checkWritable("account")
      try await outer.write(token("\(number)"))
      #expect(try await outer.token(for: "account") == token("\(number)"))
      #expect(try await outer.read() == token("\(number)"))
    }
    try await expectRefusal(.sealed, of: inner, over: base)
    try await outer.write(nil)
    #expect(try await outer.token(for: "account") == nil)
  }

  /// A storage that returns values cannot throw the error of a sealed record.
  @Test func storageThatReturnsTheSealedRecordServesToo() async throws {
    let storage = sealed(ValueStorage(), try ring())
    try await storage.write(full)
    try await storage.write(token("next"))
    #expect(try await storage.read() == token("next"))
    let foreign = sealed(ValueStorage(StoredToken(sealed: "x.y")), try ring())
    let error = try await #require(throws: TokenStorageError.self) { try await foreign.read() }
    #expect(error.code == .damagedSeal)
  }

  private final class ValueStorage: TokenStorage {
    private let record: Mutex<StoredToken?>

    init(_ record: StoredToken? = nil) { self.record = Mutex(record) }

    func token(for account: String) async throws -> StoredToken? { record.withLock(\.self) }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await body(Slot(storage: self))
    }

    func accounts() async throws -> [String] { ["account"] }

    private struct Slot: TokenSlot {
      let storage: ValueStorage

      func read() async throws -> StoredToken? { storage.record.withLock(\.self) }

      func write(_ token: StoredToken?) async throws { storage.record.withLock { $0 = token } }
    }
  }

  /// A key service that becomes unavailable during exclusive access does not cost the rotated token.
  @Test func keysAreObtainedBeforeTheBody() async throws {
    struct Keys: SealingKeys {
      let ring: SealingKeyRing
      let calls = Calls()

      func keyRing() async throws -> SealingKeyRing {
        guard calls.count() == 1 else { throw TokenStorageError(.unavailable, "The key service is unavailable.") }
        return ring
      }
    }
    final class Calls: Sendable {
      private let number = Atomic(0)

      func count() -> Int { number.add(1, ordering: .relaxed).newValue }
    }
    let base = InMemoryTokenStorage()
    let storage = sealed(base, Keys(ring: try ring()))
    try await storage.withExclusiveAccess(to: "account") { slot in
      #expect(try await slot.read() == nil)
      try await slot.write(full)
      try await slot.write(token("next"))
      #expect(try await slot.read() == token("next"))
    }
    let error = try await #require(throws: TokenStorageError.self) { try await storage.read() }
    #expect(error.message == "The key service is unavailable.")
    #expect(try await sealed(base, try ring()).read() == token("next"))
  }

  /// Also without a read before it, and over a storage whose reads end with the task.
  @Test func writeIsCompletedWhereverItsTaskIsCancelled() async throws {
    let keys = try ring()
    let runs = try await cancellingAtEverySuspension { executor in
      let base = InMemoryTokenStorage()
      try await sealed(base, keys).write(full)
      return Run(base: base, storage: sealed(CancellableReads(base: base, executor: executor), keys))
    } of: { (run: Run) in
      try await run.storage.withExclusiveAccess(to: "account") { @Sendable slot in
        run.hasBegun.withLock { $0 = true }
        try await slot.write(token("next"))
      }
    } then: { run, failure in
      let expected = run.hasBegun.withLock(\.self) ? token("next") : full
      #expect(failure == nil || failure is CancellationError)
      let stored = try await sealed(run.base, keys).read()
      #expect(stored == expected)
    }
    #expect(runs > 2)
  }

  private final class Run: Sendable {
    let base: InMemoryTokenStorage
    let storage: SealedTokenStorage
    let hasBegun = Mutex(false)

    init(base: InMemoryTokenStorage, storage: SealedTokenStorage) { (self.base, self.storage) = (base, storage) }
  }

  private struct CancellableReads: TokenStorage {
    let base: InMemoryTokenStorage
    let executor: any TaskExecutor

    func token(for account: String) async throws -> StoredToken? { try await base.token(for: account) }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, executor: executor)) }
    }

    func accounts() async throws -> [String] { try await base.accounts() }

    private struct Slot: TokenSlot {
      let base: any TokenSlot
      let executor: any TaskExecutor

      func read() async throws -> StoredToken? {
        try await withTaskExecutorPreference(executor) {
          try Task.checkCancellation()
          await Task.yield()
          try Task.checkCancellation()
          return try await base.read()
        }
      }

      func write(_ token: StoredToken?) async throws {
        try await withTaskExecutorPreference(executor) {
          await Task.yield()
          try await base.write(token)
        }
      }
    }
  }

  @Test func faultsOfTheWrappedStoragePassThrough() async throws {
    let faulty = FaultyTokenStorage()
    let storage = sealed(faulty, try ring())
    try await storage.write(full)
    let fault = TokenStorageError(.unavailable, "The disk is full.")
    faulty.failWrites(with: fault)
    for call in [{ try await storage.write(token("next")) }, { try await storage.checkWritable("account") }] {
      #expect(try await #require(throws: TokenStorageError.self) { try await call() }.message == fault.message)
    }
    #expect(try await storage.read() == full)
    faulty.failWrites(with: nil)
    faulty.failReads(with: fault)
    #expect(try await #require(throws: TokenStorageError.self) { try await storage.read() }.message == fault.message)
    #expect(
      try await #require(throws: TokenStorageError.self) { try await storage.accounts() }.message == fault.message)
  }
}

@Suite(.takesTurns) struct SealedConformanceTests {
  @Test(arguments: TokenStorageConformance.checks)
  func sealedMemoryKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    let keys = try ring()
    try await TokenStorageConformance { sealed(InMemoryTokenStorage(), keys) }.run(check)
  }

  @Test(arguments: TokenStorageConformance.checks)
  func sealedFilesKeepThePromise(_ check: TokenStorageConformance.Check) async throws {
    let home = try TemporaryDirectory()
    let folder = home.url.appending(path: "tokens")
    try await TokenStorageConformance {
      sealed(FileTokenStorage(directory: folder), try ring())
    } reopen: { _ in
      sealed(FileTokenStorage(directory: folder), try SealingKeyRing([key("old", 1), key("new", 2)]))
    }.run(check)
  }
}
