// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import TokenStore

/// Repeats requests whose proof a server rejects.
///
/// The second attempt contains the nonce that the server requires. That is not sufficient for a server that issues a new nonce every few
/// requests. After two rejected attempts, the requests to that origin take turns: each uses the newest nonce, and no nonce is used by
/// more requests than the server accepts.
final class RepeatedSending: Sendable {
  /// The maximum number of attempts of a request in its turn.
  private static let attemptsInTurn = 3

  private let turns = KeyedLock<Origin?>()
  /// The number of requests that are taking turns, by origin.
  private let waiting = Mutex<[Origin?: Int]>([:])

  /// Runs `attempt` until the server accepts the proof, or until no attempts are left.
  ///
  /// - Parameters:
  ///   - origin: The origin of the request's URL.
  ///   - isTakingTurns: Whether the request waits for others that take turns. Only a request with a proof has to.
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
