// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// An append-only file.
///
/// After a failed write, nothing more is appended. A truncated line is therefore always the last one.
final class AppendingFile: Sendable {
  private struct State {
    /// The number of appends.
    var appended = 0
    /// The number of appends on disk.
    var synchronized = 0
    var isSynchronizing = false
    var hasFailed = false
    var waiters: [(position: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let descriptor: FileDescriptor
  private let state = Mutex(State())

  /// Replaces a file atomically, even if the power fails, and opens it.
  init(replacing path: String, in folder: String, with bytes: [UInt8]) throws(SandboxError) {
    let temporary = path + ".new"
    // A crash may have left a temporary file. O_EXCL does not open anything else in its place, such as a pipe.
    _ = unsafe unlink(temporary)
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC
    let directory = FileDescriptor(owning: unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    let file = FileDescriptor(owning: unsafe open(temporary, flags, 0o600))
    guard directory.number >= 0, file.number >= 0, file.write(bytes), file.synchronize(),
      unsafe rename(temporary, path) == 0, directory.synchronize()
    else { throw SandboxError("The file \(path) cannot be written. Check its permissions and the free space.") }
    descriptor = file
  }

  /// Appends bytes.
  ///
  /// Returns `false` if writing failed.
  func append(_ bytes: [UInt8]) -> Bool {
    guard !state.withLock({ $0.hasFailed }) else { return false }
    let isDone = descriptor.write(bytes)
    state.withLock { state in
      state.appended += 1
      if !isDone { state.hasFailed = true }
    }
    return isDone
  }

  /// Waits until all previous appends are on disk.
  ///
  /// Returns `false` if writing failed.
  ///
  /// Concurrent callers share one system call.
  func synchronize() async -> Bool {
    let known: Bool? = state.withLock { state in
      if state.hasFailed { return false }
      return state.synchronized == state.appended ? true : nil
    }
    if let known { return known }
    return await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        state.waiters.append((state.appended, continuation))
        defer { state.isSynchronizing = true }
        return !state.isSynchronizing
      }
      if isFirst { Task { await BlockingWork.run { self.serveWaiters() } } }
    }
  }

  private func serveWaiters() {
    var isServing = true
    while isServing {
      let target = state.withLock { $0.appended }
      let isDone = descriptor.synchronize()
      let (served, isGood) = state.withLock { state in
        if isDone { state.synchronized = target } else { state.hasFailed = true }
        let served = state.waiters.filter { $0.position <= target }
        state.waiters.removeAll { $0.position <= target }
        isServing = !state.waiters.isEmpty
        state.isSynchronizing = isServing
        return (served.map(\.continuation), !state.hasFailed)
      }
      for continuation in served { continuation.resume(returning: isGood) }
    }
  }
}
