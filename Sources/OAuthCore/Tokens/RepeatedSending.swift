// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TokenStore

/// Sends a request again while the server demands another proof for it.
///
/// The second attempt has what the server demanded, which is enough unless it demands something else by then, as one may that
/// gives a new nonce every few requests. From then on the requests take turns, so that each finds the newest nonce and no nonce is
/// used by more requests than the server accepts it from.
final class RepeatedSending: Sendable {
  /// The attempts of a request in its turn.
  private static let attemptsInTurn = 3

  private let turns = KeyedLock<Int>()
  /// How many requests take turns now.
  private let waiting = Atomic(0)

  /// Runs `attempt` until it says that the server demands nothing more, or often enough that the demand is the answer.
  func outcome<Outcome: Sendable>(
    of attempt: () async throws -> (outcome: Outcome, isToBeRepeated: Bool)
  ) async throws -> Outcome {
    if waiting.load(ordering: .relaxed) == 0 {
      for _ in 0..<2 {
        let (outcome, isToBeRepeated) = try await attempt()
        if !isToBeRepeated { return outcome }
      }
    }
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return try await turns.withLock(for: 0) {
      var last = try await attempt()
      for _ in 1..<Self.attemptsInTurn where last.isToBeRepeated { last = try await attempt() }
      return last.outcome
    }
  }
}
