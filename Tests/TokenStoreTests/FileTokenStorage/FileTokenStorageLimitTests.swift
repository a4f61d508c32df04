// SPDX-License-Identifier: Apache-2.0

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing
  import TokenStore

  /// The limits and permissions of a process.
  ///
  /// Each test has a process of its own, whose limits and user it changes.
  @Suite(.takesTurns) struct FileTokenStorageLimitTests {
    /// With 0, 1, 2 … descriptors left, a call fails at each file that it opens, until there are enough.
    @Test func withoutDescriptorsACallFailsAndKeepsNone() async {
      await #expect(processExitsWith: .success) {
        let home = try TemporaryDirectory()
        let storage = FileTokenStorage(directory: home.path("tokens"))
        try await storage.write(token("old"), for: "account")
        let folder = storage.directory
        let steps: [StorageCall: [String]] = [
          .read: ["open the directory \(folder)", "open \(folder)/account.json"],
          .list: ["open the directory \(folder)", "list \(folder)"],
          .write: [
            "open the directory \(folder)", "open \(folder)/account.lock", "open \(folder)/account.json",
          ],
          .remove: [
            "open the directory \(folder)", "open \(folder)/account.lock", "open \(folder)/account.json",
          ],
        ]
        for (call, steps) in steps {
          for (spare, step) in steps.enumerated() {
            let descriptors = Descriptors(leaving: spare)
            try await call.expectFailure(
              .unavailable,
              "Could not \(step): \(text(ofError: EMFILE)). Too many files are open; close some and try again.",
              of: storage)
            #expect(descriptors.isFree(spare), "\(call) keeps a descriptor")
          }
          let descriptors = Descriptors(leaving: steps.count)
          try await call.make(storage)
          #expect(descriptors.isFree(steps.count), "\(call) keeps a descriptor")
        }
      }
    }

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
    let closed = FileTokenStorage(directory: "\(home)/closed/tokens")
    try await closed.write(token("old"), for: "account")
    try setPermissions(0o600, "\(home)/closed")
    try await expectRefusal(of: StorageCall.allCases, closed, "open the directory \(closed.directory)")
    try setPermissions(0o700, "\(home)/closed")
    #expect(try await closed.token(for: "account") == token("old"))

    // A folder that may not be read, only entered.
    let folder = closed.directory
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
      let storage = FileTokenStorage(directory: path)
      #expect(try await storage.token(for: "account") == nil)
      #expect(try await storage.accounts().isEmpty)
      try await expectRefusal(of: [.check], storage, "make the directory \(path)")
      let first = path.dropFirst(above.count + 1).prefix { $0 != "/" }
      try await expectRefusal(of: [.write, .remove], storage, "make the directory \(above)/\(first)")
    }
    try setPermissions(0o700, above)
    // One that exists and cannot be used is not made again.
    let below = FileTokenStorage(directory: "\(above)/deep/down/tokens")
    try await below.checkWritable("account")
    #expect(try names(in: above) == ["tokens"])
    try await below.write(token("old"), for: "account")
  }

  /// Takes all descriptors of the process but a few, for as long as it lives.
  private final class Descriptors {
    private var taken: [Int32] = []
    private let before: rlimit

    init(leaving spare: Int) {
      var limits = rlimit()
      // The pointers are valid for the calls, which read or write one `rlimit`.
      unsafe getrlimit(limitOfDescriptors, &limits)
      before = limits
      limits.rlim_cur = 128
      unsafe setrlimit(limitOfDescriptors, &limits)
      while let descriptor = Self.next() { taken.append(descriptor) }
      for _ in 0..<spare { close(taken.removeLast()) }
    }

    deinit {
      for descriptor in taken { close(descriptor) }
      var limits = before
      unsafe setrlimit(limitOfDescriptors, &limits)
    }

    /// Whether as many descriptors are free as were left, and gives up all.
    func isFree(_ spare: Int) -> Bool {
      let count = taken.count
      while let descriptor = Self.next() { taken.append(descriptor) }
      return taken.count - count == spare
    }

    private static func next() -> Int32? {
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      return descriptor < 0 ? nil : descriptor
    }
  }

  #if canImport(Glibc)
    private let limitOfDescriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let limitOfDescriptors = RLIMIT_NOFILE
  #endif
#endif
