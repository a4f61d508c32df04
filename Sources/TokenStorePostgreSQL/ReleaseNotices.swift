// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Support
import Synchronization

/// The waits for the ends of leases, which database notifications shorten.
///
/// A notification can be lost, so every wait also ends by itself. Behind a transaction pooler, there are no notifications.
final class ReleaseNotices: Sendable {
  private struct State {
    var waits: [String: [Int: SingleWait<Void>]] = [:]
    var lastID = 0
    var listener: Task<Void, Never>?
    var isListening = false
    var isStopped = false
  }

  /// The pause between two attempts while there are no notifications.
  private static let pollingPause = Duration.milliseconds(100)

  private let database: PostgreSQLClient
  private let state = Mutex(State())

  init(_ database: PostgreSQLClient) { self.database = database }

  /// Returns the payload of a notification for an account.
  ///
  /// It is the FNV-1a hash of the name, which can be longer than a payload. A collision only wakes a waiter unnecessarily.
  static func payload(for account: String) -> String {
    String(account.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }

  /// Stops listening.
  func stop() {
    let listener = state.withLock { state in
      state.isStopped = true
      return state.listener
    }
    listener?.cancel()
  }

  /// Starts to listen, as soon as a caller waits.
  func listen() {
    state.withLock { state in
      guard state.listener == nil, !state.isStopped else { return }
      // The stream is made here, so that the task does not keep this object.
      let notices = database.notifications(on: "almanac_tokens")
      state.listener = Task { [weak self] in
        for await notice in notices { self?.receive(notice) }
        self?.state.withLock { $0.isListening = false }
      }
    }
  }

  /// Waits for a notification that the lease of an account has ended, at most for `time`.
  ///
  /// - Throws: `CancellationError`.
  func wait(for account: String, atMost time: Duration) async throws {
    let wait = SingleWait<Void>()
    let key = Self.payload(for: account)
    let (id, isListening) = state.withLock { state in
      state.lastID += 1
      state.waits[key, default: [:]][state.lastID] = wait
      return (state.lastID, state.isListening)
    }
    defer {
      state.withLock { state in
        state.waits[key]?[id] = nil
        if state.waits[key]?.isEmpty == true { state.waits[key] = nil }
      }
    }
    let limit = isListening ? time : min(time, Self.pollingPause * Double.random(in: 0.5...1))
    let timer = Task {
      try await Task.sleep(for: limit)
      wait.end(.success(()))
    }
    defer { timer.cancel() }
    try await wait.value()
  }

  private func receive(_ notice: SQLNotification) {
    let waits = state.withLock { state -> [SingleWait<Void>] in
      switch notice {
      case .listening:
        state.isListening = true
        return state.waits.values.flatMap(\.values)
      case .notification(let payload):
        return state.waits[payload].map { Array($0.values) } ?? []
      }
    }
    for wait in waits { wait.end(.success(())) }
  }
}
