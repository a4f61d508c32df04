// SPDX-License-Identifier: Apache-2.0

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import Foundation
  import TestSupport
  import Testing
  import TokenStore

  /// The permissions of a process, which has a user of its own.
  @Suite(.takesTurns) struct FileTokenStoragePermissionTests {
    @Test func withoutPermissionTheFileIsNamedAndNothingIsChanged() async throws {
      // In a folder that every user can reach.
      let home = try TemporaryDirectory(in: "/tmp")
      if geteuid() == 0 {
        let result = unsafe chown(home.path, 65_534, 65_534)
        try #require(result == 0)
      }
      await #expect(processExitsWith: .success) { [path = home.path as String] in
        if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
        try await checkPermissions(in: path)
      }
    }
  }

  private func checkPermissions(in home: String) async throws {
    func expectRefusal(of calls: [StorageCall], _ storage: FileTokenStorage, _ place: String) async throws {
      for call in calls {
        try await call.expectFailure(
          .unavailable,
          "Could not \(place): \(text(ofError: EACCES)). Check who owns it and its permissions.", of: storage)
      }
    }

    // A folder that may not be entered.
    let closed = FileTokenStorage(path: "\(home)/closed/tokens")
    try await closed.write(token("old"), for: "account")
    try setPermissions(0o600, "\(home)/closed")
    try await expectRefusal(of: StorageCall.allCases, closed, "open the directory \(closed.path)")
    try setPermissions(0o700, "\(home)/closed")
    #expect(try await closed.token(for: "account") == token("old"))

    // A folder that may not be read, only entered.
    let folder = closed.path
    try setPermissions(0o300, folder)
    try await expectRefusal(of: StorageCall.allCases, closed, "open the directory \(folder)")

    // A folder in which nothing may be made.
    try setPermissions(0o500, folder)
    try await expectRefusal(of: [.write], closed, "open \(folder)/account.tmp")
    try await expectRefusal(of: [.remove], closed, "remove \(folder)/account.json")
    let error = try await #require(throws: TokenStorageError.self) { try await closed.checkWritable("account") }
    #expect(error.message.hasPrefix("Could not open \(folder)/account."))
    #expect(error.message.hasSuffix(".trial: \(text(ofError: EACCES)). Check who owns it and its permissions."))
    for call in [StorageCall.write, .remove] {
      let error = try await #require(throws: TokenStorageError.self) { try await call.make(closed, "other") }
      #expect(error.message.hasPrefix("Could not open \(folder)/other.lock: "))
    }
    #expect(try await closed.token(for: "account") == token("old"))
    #expect(try await closed.accounts() == ["account"])
    try setPermissions(0o700, folder)

    // Files that may not be read or written.
    try setPermissions(0o000, "\(folder)/account.json")
    try await expectRefusal(of: StorageCall.ofRecord, closed, "open \(folder)/account.json")
    try setPermissions(0o600, "\(folder)/account.json")
    try setPermissions(0o400, "\(folder)/account.lock")
    try await expectRefusal(of: StorageCall.locking, closed, "open \(folder)/account.lock")
    try setPermissions(0o600, "\(folder)/account.lock")

    // Folders that are still to be made, below one that may not be written.
    let above = "\(home)/closed"
    try setPermissions(0o500, above)
    for path in ["\(above)/new", "\(above)/new/tokens", "\(above)/a/b/c"] {
      let storage = FileTokenStorage(path: path)
      #expect(try await storage.token(for: "account") == nil)
      #expect(try await storage.accounts().isEmpty)
      try await expectRefusal(of: [.check], storage, "create the directory \(path)")
      let first = path.dropFirst(above.count + 1).prefix { $0 != "/" }
      try await expectRefusal(of: [.write, .remove], storage, "create the directory \(above)/\(first)")
    }
    try setPermissions(0o700, above)
    // One that exists and cannot be used is not made again.
    let below = FileTokenStorage(path: "\(above)/deep/down/tokens")
    try await below.checkWritable("account")
    #expect(try names(in: above) == ["tokens"])
    try await below.write(token("old"), for: "account")
  }
#endif
