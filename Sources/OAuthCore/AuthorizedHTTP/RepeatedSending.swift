// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import TokenStore

/// Sends a request again while the server demands another proof for it.
///
/// The second attempt has what the server demanded, which is enough unless it demands something else by then, as one may that
/// gives a new nonce every few requests. From then on the requests to that origin take turns, so that each finds the newest nonce and no nonce is
/// used by more requests than the server accepts it from.
final class RepeatedSending: Sendable {
  /// The attempts of a request in its turn.
  private static let attemptsInTurn = 3

  private let turns = KeyedLock<Origin?>()
  /// How many requests take turns now, by origin.
  private let waiting = Mutex<[Origin?: Int]>([:])

  /// Runs `attempt` until it says that the server demands nothing more, or often enough that the demand is the answer.
  ///
  /// - Parameters:
  ///   - origin: The origin of the request's URL.
  ///   - isTakingTurns: Whether the request waits for others that take turns; only one with a proof has to.
  func outcome<Outcome: Sendable>(
    at origin: Origin?, isTakingTurns: Bool, of attempt: () async throws -> (outcome: Outcome, isToBeRepeated: Bool)
  ) async throws -> Outcome {
    if !isTakingTurns || waiting.withLock({ $0[origin] == nil }) {
      for _ in 0..<2 {
        let (outcome, isToBeRepeated) = try await attempt()
        if !isToBeRepeated { return outcome }
      }
    }
    waiting.withLock { $0[origin, default: 0] += 1 }
    defer { waiting.withLock { $0[origin] = $0[origin] == 1 ? nil : ($0[origin] ?? 1) - 1 } }
    return try await turns.withLock(for: origin) {
      var last = try await attempt()
      for _ in 1..<Self.attemptsInTurn where last.isToBeRepeated { last = try await attempt() }
      return last.outcome
    }
  }
}
