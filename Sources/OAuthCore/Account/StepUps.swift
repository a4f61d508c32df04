// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping
import TokenStore

/// The step-up sign-ins of one account, limited so that no resource can show pages to the user repeatedly.
///
/// At most one step-up sign-in runs at a time. Within ten minutes, each challenge leads to one sign-in, and all challenges together lead to
/// a limited number. A challenge for a newer authentication leads to another sign-in once its maximum age has passed. A failed sign-in
/// counts too, unless it was cancelled.
package final class StepUps: Sendable {
  /// The requirements of a challenge, without its reason and description.
  private struct Demand: Hashable {
    let scopes: Set<Scope>
    let acrValues: Set<String>
    let maximumAge: Duration?
  }

  private static let period = Duration.seconds(600)

  private let clock: any WallClock
  private let turn = KeyedLock<Int>()
  private let past = Mutex<[(demand: Demand, endedAt: Duration)]>([])

  init(clock: some WallClock) { self.clock = clock }

  /// Runs `body` while no other request of the account signs in for a challenge.
  package func inTurn(_ body: () async throws -> Bool) async throws -> Bool {
    try await turn.whileHolding(0) { try await body() }
  }

  /// Signs in as a resource requires, unless the limits are reached.
  ///
  /// - Parameters:
  ///   - demand: The challenge.
  ///   - limit: The maximum number of sign-ins in ten minutes.
  ///   - signIn: Signs in, and returns whether there is a new token.
  /// - Returns: Whether there is a new token.
  /// - Throws: The errors of `signIn`.
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
    let now = clock.uptime
    let pause = min(Self.period, demand.maximumAge ?? Self.period)
    return past.withLock { past in
      past.removeAll { $0.endedAt + Self.period <= now }
      return past.count < limit && !past.contains { $0.demand == demand && now < $0.endedAt + pause }
    }
  }

  private func note(_ demand: Demand) {
    let now = clock.uptime
    past.withLock { $0.append((demand, now)) }
  }
}
