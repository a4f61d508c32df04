// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The events of a simulation, and its violations of the protocol's promises.
///
/// A refresh token may be sent again only after a loss that `Documentation/Storage.md` names:
///
/// - The provider's response was lost.
/// - The first sender crashed, paused or could not reach the database, until its intent ended.
/// - A failover lost commits.
package final class History: Sendable {
  /// The first request with a refresh token.
  private struct Sending {
    let machine: Int
    let start: Duration
    /// The number of requests that the provider may still process.
    var openCount = 0
    var isSpent = false
    var isResponseLost = false
  }

  private struct State {
    var events: [String] = []
    var violations: [String] = []
    var sendings: [RefreshToken: Sending] = [:]
    var sender: Int?
    /// The last time when a fault kept a machine from storing a token.
    var disturbed: [Int: Duration] = [:]
    var commitsLost: Duration?
    /// The refresh token in the row.
    var current: RefreshToken?
    var lastWrite = Duration.zero
    /// The tokens that were stored, and the first time.
    var stored: [RefreshToken: Duration] = [:]
    var storedAccessTokens: Set<String> = []
    var received: [(token: RefreshToken, machine: Machine, sent: Duration)] = []
    /// The machines that obtained a token after all faults had ended.
    var served: Set<Int> = []
    var losses = 0
    var refreshes = 0
  }

  /// The time from an intent to the last instant at which its request is sent, and a second.
  private static let sendingWindow = Duration.seconds(6)
  /// The time from the first instant at which a request is sent to the end of its intent, but for jumps of the database's clock.
  private static let intentTime = Duration.seconds(27)

  /// The longest time from a request to the stored token, without faults.
  private static let storingTime = Duration.seconds(10)

  private let state = Mutex(State())

  package var events: [String] { state.withLock(\.events) }
  package var violations: [String] { state.withLock(\.violations) }
  /// The number of refresh tokens that were sent again after a named loss.
  package var losses: Int { state.withLock(\.losses) }
  package var refreshes: Int { state.withLock(\.refreshes) }
  /// The machine with a request in progress.
  var sender: Int? { state.withLock(\.sender) }
  var lastWrite: Duration { state.withLock(\.lastWrite) }

  func add(_ event: String, at now: Duration) { state.withLock { $0.events.append("\(now): \(event)") } }

  func violate(_ violation: String) { state.withLock { $0.violations.append(violation) } }

  /// Notes a fault that can keep a machine from storing a token.
  func disturb(_ machine: Int, at now: Duration) { state.withLock { $0.disturbed[machine] = now } }

  func loseCommits(keeping token: RefreshToken?, at now: Duration) {
    state.withLock { ($0.commitsLost, $0.current) = (now, token) }
  }

  /// One machine at a time sends a refresh token, and none that has received its successor.
  func send(_ token: RefreshToken, by machine: Machine, at now: Duration) {
    state.withLock { state in
      let first = state.sendings[token] ?? Sending(machine: machine.number, start: now)
      for received in state.received where received.machine === machine && received.token == token.next {
        if !Self.hasLost(state, since: received.sent) {
          state.violations.append("\(now): machine \(machine.number) sends \(token), and has received its successor")
        }
      }
      if first.openCount > 0, !Self.hasLost(state, since: first.start) {
        state.violations.append(
          "\(now): machines \(first.machine) and \(machine.number) send \(token) at the same time")
      }
      state.sendings[token] = first
      state.sendings[token]?.openCount += 1
      state.sender = machine.number
    }
  }

  /// A refresh token is not sent again after it was spent, except after a named loss.
  func spend(_ token: RefreshToken, sent: Duration, isReuse: Bool, at now: Duration) {
    state.withLock { state in
      state.refreshes += 1
      guard isReuse, let first = state.sendings[token] else { return }
      // The second sender noted its intent before the new token was stored.
      let isLate = state.stored[token.next].map { $0 >= sent - Self.sendingWindow } ?? true
      let isDisturbed =
        (state.disturbed[first.machine] ?? .zero) >= first.start && sent - first.start >= Self.intentTime
      if isLate && (first.isResponseLost || isDisturbed) || Self.hasLost(state, since: first.start) {
        state.losses += 1
      } else {
        state.violations.append("\(now): \(token) is sent again, first by machine \(first.machine) at \(first.start)")
      }
    }
  }

  /// Ends a request.
  ///
  /// - Parameter isSpent: Whether the provider has spent the token; otherwise it may be sent again.
  func close(_ token: RefreshToken, isSpent: Bool) {
    state.withLock { state in
      state.sender = nil
      guard var sending = state.sendings[token] else { return }
      sending.openCount -= 1
      sending.isSpent = sending.isSpent || isSpent
      state.sendings[token] = sending.isSpent || sending.openCount > 0 ? sending : nil
    }
  }

  func loseResponse(to token: RefreshToken) { state.withLock { $0.sendings[token]?.isResponseLost = true } }

  func receive(_ token: RefreshToken, by machine: Machine, sent: Duration) {
    state.withLock { $0.received.append((token, machine, sent)) }
  }

  /// No write replaces a newer token by an older one.
  func store(_ accessToken: String, _ token: RefreshToken, at now: Duration) {
    add("\(token) is stored", at: now)
    state.withLock { state in
      if let current = state.current, token < current {
        state.violations.append("\(now): \(token) replaces \(current)")
      }
      (state.current, state.lastWrite) = (token, now)
      state.stored[token] = state.stored[token] ?? now
      state.storedAccessTokens.insert(accessToken)
    }
  }

  /// No caller receives a token that was not stored.
  func use(_ accessToken: String, at now: Duration) {
    state.withLock { state in
      guard !state.storedAccessTokens.contains(accessToken) else { return }
      state.violations.append("\(now): a caller received \(accessToken), which was not stored")
    }
  }

  /// No token that a machine has received is dropped while the machine runs.
  ///
  /// A token that was requested in the last seconds may still be on its way to the database.
  func checkReceived(at now: Duration) {
    state.withLock { state in
      guard let last = state.stored.keys.max() else { return }
      let received = state.received.filter { $0.machine.isRunning && $0.sent < now - Self.storingTime }
      for (token, machine, sent) in received where token > last {
        if !Self.hasLost(state, since: sent) {
          state.violations.append("\(token), received by machine \(machine.number), was dropped")
        }
      }
    }
  }

  func serve(_ machine: Int) { state.withLock { _ = $0.served.insert(machine) } }

  /// The account ends with a token, and no machine waits forever.
  func checkServed(_ machines: Range<Int>) {
    state.withLock { state in
      let missing = machines.filter { !state.served.contains($0) }
      if !missing.isEmpty { state.violations.append("machines \(missing) end without a token") }
    }
  }

  /// Returns whether a failover has lost the intent of a request, or something later.
  private static func hasLost(_ state: State, since start: Duration) -> Bool {
    state.commitsLost.map { $0 >= start - sendingWindow } ?? false
  }
}
