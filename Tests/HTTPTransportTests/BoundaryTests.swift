// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

/// The first and the last value for which a rule holds, and those beside them.
@Suite struct BoundaryTests {
  @Test(arguments: [(100, false), (199, false), (200, true), (204, true), (299, true), (300, false), (404, false)])
  func statusIsASuccess(_ status: Int, _ isSuccess: Bool) {
    #expect(HTTPResponse(status: status).isSuccess == isSuccess)
    #expect(
      StreamedResponse(status: status, fields: [:], body: BodyStream(AsyncStream { $0.finish() })).isSuccess
        == isSuccess)
  }

  /// The wait doubles with every attempt, up to the longest.
  @Test(arguments: [
    (1, 1.0), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 64), (8, 100), (9, 100), (31, 100), (32, 100), (1000, 100),
  ])
  func waitDoublesUpToTheLongest(_ attempt: Int, _ seconds: Double) {
    let policy = RetryPolicy(maximumAttempts: 5, baseDelay: .seconds(1), maximumDelay: .seconds(100))
    #expect(policy.delay(after: attempt, fraction: 1) == .seconds(seconds))
    #expect(policy.delay(after: attempt, fraction: 0.5) == .seconds(seconds / 2))
    #expect(policy.delay(after: attempt, fraction: 0) == .zero)
    // A fraction that is none does not make the wait longer, or negative.
    #expect(policy.delay(after: attempt, fraction: 2) == .seconds(seconds))
    #expect(policy.delay(after: attempt, fraction: -1) == .zero)
  }
}
