// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import TokenStore

/// Repeats requests whose proof a server rejects.
///
/// The second attempt contains the nonce required by the server. If the server issues a new nonce every few requests,
/// concurrent requests can use the nonce up before the second attempt. After two rejected attempts, the requests to the
/// same origin therefore take turns, and each uses the newest nonce.
final class RepeatedSending: Sendable {
  /// The maximum number of attempts of a request in its turn.
  private static let attemptsInTurn = 3

  private let turns = KeyedLock<Origin?>()
  /// The number of requests taking turns, by origin.
  private let waiting = Mutex<[Origin?: Int]>([:])

  /// Runs `attempt` until the server accepts the proof, or until no attempts are left.
  ///
  /// - Parameter origin: The origin at which a request with a proof waits for others taking turns, or `nil` for another request.
  func outcome<Outcome: Sendable>(
    at origin: Origin?,
    of attempt: () async throws -> (outcome: Outcome, isToBeRepeated: Bool)
  ) async throws -> Outcome {
    if origin == nil || waiting.withLock({ $0[origin] == nil }) {
      for _ in 0..<2 {
        let (outcome, isToBeRepeated) = try await attempt()
        if !isToBeRepeated { return outcome }
      }
    }
    waiting.withLock { $0[origin, default: 0] += 1 }
    defer { waiting.withLock { $0[origin] = $0[origin] == 1 ? nil : ($0[origin] ?? 1) - 1 } }
    return try await turns.whileHolding(origin) {
      var last = try await attempt()
      for _ in 1..<Self.attemptsInTurn where last.isToBeRepeated { last = try await attempt() }
      return last.outcome
    }
  }
}
