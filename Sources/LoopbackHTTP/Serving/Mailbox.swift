// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The messages from the rest of the program to the event loop, with a pipe for ending the loop's wait.
final class Mailbox: Sendable {
  /// The messages since the loop last checked.
  struct Contents {
    var responses: [(connection: Int, response: HTTPResponse)] = []
    /// The shortest grace period requested, if the server is to stop.
    var gracePeriod: Duration?
  }

  private struct State {
    var contents = Contents()
    var isWoken = false
    var isStopped = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  // Both ends live as long as the mailbox, so no write reaches a closed pipe.
  private let pipe: Pipe

  init() throws(LoopbackError) {
    guard let pipe = Pipe() else {
      throw LoopbackError(
        .system,
        "The system cannot open a pipe for the server (errno \(errno)). Raise the process's limit for open files.")
    }
    self.pipe = pipe
  }

  /// The descriptor, readable when there are messages.
  var wakeDescriptor: Int32 { pipe.readEnd.number }

  func post(_ response: HTTPResponse, for connection: Int) {
    change { $0.responses.append((connection, response)) }
  }

  func stop(gracePeriod: Duration) {
    change { $0.gracePeriod = min($0.gracePeriod ?? gracePeriod, gracePeriod) }
  }

  /// Removes and returns the responses.
  ///
  /// A request to stop stays.
  func take() -> Contents {
    state.withLock { state in
      if state.isWoken {
        var byte: UInt8 = 0
        // The byte of the wake-up is read into a local of one byte.
        _ = unsafe read(pipe.readEnd.number, &byte, MemoryLayout.size(ofValue: byte))
        state.isWoken = false
      }
      defer { state.contents.responses = [] }
      return state.contents
    }
  }

  func waitUntilStopped() async {
    await withCheckedContinuation { continuation in
      let isStopped = state.withLock { state in
        if !state.isStopped { state.waiters.append(continuation) }
        return state.isStopped
      }
      if isStopped { continuation.resume() }
    }
  }

  /// Resumes the callers of ``waitUntilStopped()``, after the loop has closed everything.
  func markStopped() {
    let waiters = state.withLock { state in
      state.isStopped = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func change(_ body: (inout Contents) -> Void) {
    state.withLock { state in
      // A stopped server sends nothing any more.
      guard !state.isStopped else { return }
      body(&state.contents)
      guard !state.isWoken else { return }
      state.isWoken = true
      var byte: UInt8 = 0
      // One byte is written from a local of one byte. The pipe is empty, so the byte fits.
      _ = unsafe write(pipe.writeEnd.number, &byte, MemoryLayout.size(ofValue: byte))
    }
  }
}
