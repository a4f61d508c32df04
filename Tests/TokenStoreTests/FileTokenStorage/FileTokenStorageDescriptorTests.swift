// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing
  import TokenStore

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The limit of descriptors, of a process of its own.
  @Suite(.takesTurns) struct FileTokenStorageDescriptorTests {
    /// With 0, 1, 2 … descriptors left, a call fails at each file that it opens, until there are enough.
    @Test func withoutDescriptorsACallFailsAndKeepsNone() async {
      await #expect(processExitsWith: .success) {
        try await Self.tryWithoutDescriptors()
      }
    }

    private static func tryWithoutDescriptors() async throws {
      let home = try TemporaryDirectory()
      let storage = FileTokenStorage(path: home.path("tokens"))
      try await storage.write(token("old"), for: "account")
      #expect(await filesLeftOpen(in: home.path) == [])
      let folder = storage.path
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
          let message =
            "Could not \(step): \(text(ofError: EMFILE)). Too many files are open. Close some and try again."
          let error = await ScarceDescriptors.leave(spare, until: { $0?.message == message }) {
            await failure(of: call, storage)
          }
          #expect(error?.code == .unavailable && error?.message == message, "\(call): \(error?.message ?? "no error")")
          #expect(await filesLeftOpen(in: home.path) == [], "\(call)")
        }
        let error = await ScarceDescriptors.leave(steps.count, until: { $0 == nil }) {
          await failure(of: call, storage)
        }
        #expect(error == nil, "\(call)")
        #expect(await filesLeftOpen(in: home.path) == [], "\(call)")
      }
    }
  }

  private func failure(of call: StorageCall, _ storage: FileTokenStorage) async -> TokenStorageError? {
    do { try await call.make(storage) } catch let error as TokenStorageError { return error } catch {
      Issue.record(error)
    }
    return nil
  }

  /// The files of a folder that stay open.
  ///
  /// A call closes its own on another thread, perhaps after it has returned.
  private func filesLeftOpen(in folder: String) async -> [String] {
    for _ in 0..<10_000 {
      if openFiles(in: folder).isEmpty { break }
      await Task.yield()
    }
    return openFiles(in: folder)
  }

  /// The names of the open files of a folder, read without a descriptor.
  private func openFiles(in folder: String) -> [String] {
    (0..<Int32(128)).compactMap { descriptor in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        // The buffer is valid for the call, which writes no more than its count.
        guard let start = buffer.baseAddress,
          case let count = unsafe readlink("/proc/self/fd/\(descriptor)", start, buffer.count), count > 0
        else { return nil }
        let name = unsafe String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.hasPrefix(folder) ? name : nil
      }
    }
  }
#endif
