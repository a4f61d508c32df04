// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

@Suite struct FaultTests {
  private static let events = "calendars/primary/events"
  private static let event = #"{"id":"abcde","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#

  @Test(
    "Every reason that Google gives",
    arguments: [
      (401, "authError", "global"), (403, "rateLimitExceeded", "usageLimits"),
      (403, "userRateLimitExceeded", "usageLimits"), (403, "quotaExceeded", "usageLimits"),
      (403, "forbiddenForNonOrganizer", "global"), (404, "notFound", "global"), (409, "duplicate", "global"),
      (410, "updatedMinTooLongAgo", "global"), (412, "conditionNotMet", "global"),
      (429, "rateLimitExceeded", "usageLimits"),
      (500, "internalError", "global"), (503, "backendError", "global"),
    ])
  func reasons(status: Int, reason: String, domain: String) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    try harness.sandbox.failCalls(Sandbox.CallFault(status: status, reason: reason))
    let failed = try await harness.call(.get, "colors", token: token)
    #expect(failed.status == status && failed.reason == reason)
    let error = try #require((failed.value("error", "errors") as? [[String: String]])?.first)
    #expect(error["domain"] == domain && failed.value("error", "code") as? Int == status)
    #expect(try await harness.call(.get, "colors", token: token).status == 200)
  }

  /// A test whose fault never occurs would pass.
  @Test(arguments: [
    Sandbox.CallFault(status: 503, reason: "backendError", method: "events.inset"),
    Sandbox.CallFault(status: 503, reason: "backendError", count: 0),
    Sandbox.CallFault(status: 503, reason: "backendError", every: 0),
  ])
  func aFaultThatNeverOccursIsRejected(_ fault: Sandbox.CallFault) throws {
    #expect(throws: SandboxError.self) { try Sandbox().failCalls(fault) }
  }

  @Test func aSlowCallTakesItsTime() async throws {
    let clock = ManualClock(skipsWaits: true)
    let harness = try SandboxHarness(clock: clock)
    let token = try await harness.token()
    let before = clock.now
    try harness.sandbox.failCalls(.slow(by: .seconds(20), method: "colors.get"))
    #expect(try await harness.call(.get, "colors", token: token).status == 200)
    #expect(clock.now - before == .seconds(20))
  }
}
