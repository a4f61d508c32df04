// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping
import TokenStore

/// The sign-ins that resources have demanded of one account, so that no resource can keep showing pages to the user.
///
/// One takes place at a time. In ten minutes a demand is met once, and a limited number of demands in all; one for a newer
/// authentication is met again when the age that it allows has passed. A sign-in that failed counts too, unless it was cancelled.
package final class StepUps: Sendable {
  /// The content of a demand; two demands with different reasons or descriptions are equal.
  private struct Demand: Hashable {
    let scopes: Set<String>
    let acrValues: Set<String>
    let maximumAge: Duration?
  }

  private static let period = Duration.seconds(600)

  private let clock: any WallClock
  private let turn = KeyedLock<Int>()
  private let past = Mutex<[(demand: Demand, endedAt: Timestamp)]>([])

  init(clock: some WallClock) { self.clock = clock }

  /// Runs `body` while no other request of the account meets a demand.
  package func inTurn(_ body: () async throws -> Bool) async throws -> Bool {
    try await turn.withLock(for: 0) { try await body() }
  }

  /// Signs in as a resource demands, if that has not just been done.
  ///
  /// - Parameters:
  ///   - demand: The demand.
  ///   - limit: How many demands are met in ten minutes.
  ///   - signIn: Signs in, and returns whether that brought another token.
  /// - Returns: Whether there is another token.
  /// - Throws: What `signIn` throws.
  package func meet(_ demand: TokenChallenge, upTo limit: Int, _ signIn: () async throws -> Bool) async throws
    -> Bool
  {
    let demand = Demand(
      scopes: Set(demand.scopes), acrValues: Set(demand.acrValues), maximumAge: demand.maximumAge)
    guard isDue(demand, upTo: limit) else { return false }
    do {
      let hasNewToken = try await signIn()
      // Without a new token, no page was shown.
      if hasNewToken { note(demand) }
      return hasNewToken
    } catch {
      if !(error is CancellationError) { note(demand) }
      throw error
    }
  }

  private func isDue(_ demand: Demand, upTo limit: Int) -> Bool {
    let now = clock.now
    let pause = min(Self.period, demand.maximumAge ?? Self.period)
    return past.withLock { past in
      past.removeAll { $0.endedAt + Self.period <= now }
      return past.count < limit && !past.contains { $0.demand == demand && now < $0.endedAt + pause }
    }
  }

  private func note(_ demand: Demand) {
    let now = clock.now
    past.withLock { $0.append((demand, now)) }
  }
}
