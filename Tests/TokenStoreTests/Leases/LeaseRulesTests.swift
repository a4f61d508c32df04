// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TokenStore

@Suite struct LeaseRulesTests {
  private let rules = LeaseRules()
  private let now = ContinuousClock.now
  private let intent = SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30))

  private func preparation(_ row: LeasedRow, version: Int64 = 5) -> LeaseRules.Preparation {
    rules.preparation(for: intent, row: row, received: now, version: version, lease: 7, now: now)
  }

  @Test func leaseOutlivesEveryRequestThatMayBeSent() throws {
    guard case .note(let lease, let requestEnd) = preparation(LeasedRow(version: 5)) else {
      return #expect(Bool(false), "No intent was noted.")
    }
    // The deadline is counted from an instant before the store's.
    let lastEnd = rules.sendingDeadline(asked: now) + intent.requestLimit
    #expect(lastEnd <= now + requestEnd)
    #expect(now + requestEnd + rules.margin <= now + lease)
  }

  @Test func nothingIsSpentFromAnOldVersion() {
    #expect(preparation(LeasedRow(version: 6)) == .superseded)
  }

  @Test(
    arguments: [
      (7, [1], 10, false, "its own intent"), (6, [1], 10, true, "another holder's request, which may be running"),
      (6, [1], -1, false, "another holder's request, which has ended"), (6, [2], 10, false, "another credential"),
    ] as [(Int64, [UInt8], Int, Bool, String)])
  func requestOfAnotherHolderIsWaitedFor(lease: Int64, digest: [UInt8], remaining: Int, waits: Bool, reason: String) {
    let row = LeasedRow(
      version: 5, intent: .init(lease: lease, credentialDigest: digest, remaining: .seconds(remaining)))
    let isWait = if case .wait(until: now + .seconds(remaining)) = preparation(row) { true } else { false }
    #expect(isWait == waits, Comment(rawValue: reason))
  }

  @Test(
    arguments: [
      (.any, 5, "b", false, .replace(version: 5), "a sign-in"),
      (.any, 9, "x", false, .replace(version: 9), "a sign-in after another one"),
      (.version(5), 5, "a", false, .replace(version: 5), "the version that was read"),
      (.version(5), 6, "a", false, .superseded, "another version"),
      (.spent(Secret("a"), version: 5), 5, "a", false, .replace(version: 5), "the version that was spent"),
      (
        .spent(Secret("a"), version: 5), 6, "a", false, .replace(version: 6),
        "another version with the spent credential"
      ),
      (.spent(Secret("a"), version: 5), 6, "b", false, .superseded, "a newer credential"),
      (.spent(Secret("a"), version: 5), 6, nil, false, .superseded, "no record any more"),
      (.version(5), 6, "a", true, .done, "the record itself, after an unknown outcome"),
    ] as [(LeaseRules.Claim, Int64, String?, Bool, LeaseRules.Writing, String)])
  func writeReplacesWhatTheWriterKnows(
    claim: LeaseRules.Claim, version: Int64, credential: String?, isRepeated: Bool, expected: LeaseRules.Writing,
    reason: String
  ) {
    let row = LeasedRow(record: [9], version: version)
    let result = rules.writing(
      [9], to: row, credential: credential.map { Secret($0) }, claim: claim, isRepeated: isRepeated)
    #expect(result == expected, Comment(rawValue: reason))
  }

  @Test func pauseIsAtMostThePatienceAndTheLease() {
    #expect(rules.pause(remaining: .seconds(60), patience: .seconds(60), jitter: 1) == rules.longestPause)
    #expect(rules.pause(remaining: .milliseconds(10), patience: .seconds(60), jitter: 1) == .milliseconds(15))
    #expect(rules.pause(remaining: .seconds(60), patience: .milliseconds(20), jitter: 1) == .milliseconds(20))
    #expect(rules.pause(remaining: .seconds(-1), patience: .seconds(60), jitter: 0) == .milliseconds(1))
  }
}
