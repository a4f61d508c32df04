// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing
import TokenStore

@Suite struct FileTokenStorageTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage

  init() throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("deep/down/tokens"))
  }

  @Test func readingMakesNoDirectory() async throws {
    #expect(try await storage.token(for: "account") == nil)
    #expect(try await storage.accounts().isEmpty)
    #expect(try names(in: home.path).isEmpty)
  }

  @Test func writingMakesADirectoryAndFilesForTheOwnerOnly() async throws {
    try await storage.write(token("one"), for: "account")
    for folder in ["deep", "deep/down", "deep/down/tokens"] { #expect(try permissions(home.path(folder)) == 0o700) }
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
    for name in ["account.json", "account.lock"] {
      #expect(try permissions("\(storage.path)/\(name)") == 0o600)
    }
  }

  @Test(.takesTurns, arguments: ["000", "077", "027"])
  func permissionsDoNotDependOnTheMask(_ mask: String) async throws {
    let child = try ChildProcess("write", storage.path, "account", "10", mask, "1000000")
    #expect(await child.exitStatus() == 0)
    #expect(try permissions(storage.path) == 0o700)
    #expect(try permissions("\(storage.path)/account.json") == 0o600)
  }

  @Test func slotThatIsKeptHoldsNoLock() async throws {
    let kept = Mutex<[any TokenSlot]>([])
    try await storage.withExclusiveAccess(to: "account") { slot in kept.withLock { $0.append(slot) } }
    let impatient = FileTokenStorage(directory: storage.directory, waitLimit: .milliseconds(20))
    try await impatient.withExclusiveAccess(to: "account") { try await $0.write(token("one")) }
    #expect(kept.withLock { $0.count } == 1)
  }

  @Test func onlyTheLockFileStaysAfterRemoval() async throws {
    try await storage.write(token("one"), for: "account")
    try await storage.write(nil, for: "account")
    #expect(try names(in: storage.path) == ["account.lock"])
  }

  @Test(arguments: [
    ("me", "me.json"), ("me@example.com", "me@example%2ecom.json"), ("Me", "%4de.json"), ("..", "%2e%2e.json"),
    ("a/b", "a%2fb.json"), ("%2f", "%252f.json"), ("\0", "%00.json"), ("é", "%c3%a9.json"), ("a_b-c+d", "a_b-c+d.json"),
  ])
  func theFileNameEscapesWhatIsNotPlain(_ account: String, _ file: String) async throws {
    try await storage.write(token("one"), for: account)
    #expect(try names(in: storage.path).contains(file))
  }

  /// The lengths cover each padding of the digest, whose expected values are those of `sha256sum`.
  @Test(arguments: [
    ("x", "x", 229, "50941af72578211ff0228decdc38e3c0d3e6b39ba53a5fd3d922e36db59f1a03"),
    ("x", "x", 247, "d081fd14046d4a496161597b406c3e0fd8cb30ae181f84799ed667a904e8bd6d"),
    ("x", "x", 248, "c7f9b244448c356a7c5c8310c9142aa34ae4d922988c1cd8bd6943aa5cbf4489"),
    ("x", "x", 256, "85e62acd750c4eb56b7b6a1d66dca5bfaac5f062608a1a893410d0288936c09a"),
    ("é", "%c3%a9", 39, "9ff2601da79c9c2034c04de01bb09e5febc9b8ba159342a4f61d489eadd2da56"),
    ("A", "%41", 1000, "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4"),
  ])
  func fileNameOfALongNameIsItsBeginningAndItsDigest(
    _ text: String, _ escaped: String, _ count: Int, _ digest: String
  ) async throws {
    let account = String(repeating: text, count: count)
    try await storage.write(token("one"), for: account)
    // No escape is cut.
    let beginning = String(repeating: escaped, count: 100).prefix(escaped == "x" ? 100 : 99)
    #expect(try names(in: storage.path) == ["json", "lock"].map { "\(beginning)~\(digest).\($0)" })
    #expect(try await storage.accounts() == [account])
  }

  @Test func longestPlainNameIsItsFileName() async throws {
    let account = String(repeating: "x", count: 228)
    try await storage.write(token("one"), for: account)
    // The longest ending of all is that of a file set aside.
    try put(Data(), at: "\(storage.path)/\(account).json")
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: account) }
    #expect(error.code == .corrupted)
  }

  /// The record of a long name contains the name, which is compared when it is read.
  @Test(arguments: [Data(#"{"version":1,"accessToken":"t","tokenType":"b","scopes":[]}"#.utf8), nil])
  func recordOfAnotherNameIsDamaged(_ content: Data?) async throws {
    let (account, other) = (String(repeating: "x", count: 300), String(repeating: "x", count: 301))
    try await storage.write(token("one"), for: account)
    let file = try #require(try names(in: storage.path).first { $0.hasSuffix(".json") })
    try await storage.write(token("two"), for: other)
    let otherFile = try #require(try names(in: storage.path).first { $0.hasSuffix(".json") && $0 != file })
    try put(content ?? contents("\(storage.path)/\(file)"), at: "\(storage.path)/\(otherFile)")
    #expect(try await storage.accounts() == [account])
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: other) }
    #expect(error.code == .corrupted)
    #expect(try await storage.token(for: other) == nil)
    #expect(try await storage.token(for: account) == token("one"))
  }

  @Test func theRelativePathCountsFromTheCurrentDirectory() {
    #expect(FileTokenStorage(path: "a/./b//").path == "\(FileManager.default.currentDirectoryPath)/a/b")
    #expect(FileTokenStorage(path: "/a/./b/.").path == "/a/b")
    let current = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    #expect(FileTokenStorage(directory: URL(filePath: "a b/./c")).directory == current.appending(path: "a b/c/"))
    #expect(FileTokenStorage(directory: URL(filePath: "/it's/100 %/")).path == "/it's/100 %")
  }

  #if os(Linux)
    @Test func nothingIsInheritedByAProcessThatIsStarted() async throws {
      let directory = storage.path
      try await storage.withExclusiveAccess(to: "account") { _ in
        var found = 0
        for number in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
          guard target?.hasPrefix(directory) == true else { continue }
          found += 1
          let info = try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
          let flags = try #require(info.split(separator: "\n").first { $0.hasPrefix("flags:") })
          let mask = try #require(Int32(flags.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8))
          #expect(mask & O_CLOEXEC != 0)
        }
        #expect(found == 2, "the directory and the lock")
      }
    }

    @Test(arguments: [
      (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data/almanac/tokens"),
      (["XDG_DATA_HOME": "data", "HOME": "/home/me"], "/home/me/.local/share/almanac/tokens"),
      (["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share/almanac/tokens"),
      (["HOME": "/home/me/"], "/home/me/.local/share/almanac/tokens"),
    ])
    func theDefaultDirectoryIsThatOfTheXDGSpecification(_ environment: [String: String], _ directory: String) {
      #expect(FileTokenStorage.defaultPath(environment: environment) == directory)
    }
  #endif
}
