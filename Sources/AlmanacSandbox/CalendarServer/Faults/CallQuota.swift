// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// A counter of the calls in the current minute.
///
/// Not measured: whether Google's minutes begin at the first call, and whether a call over the quota of the user counts for the client.
struct CallCounter: Sendable {
  private var minute: Int64 = 0
  private var counts: [String: Int] = [:]

  /// Counts a call.
  ///
  /// Throws if the quota is exhausted.
  mutating func count(_ call: CalendarCall, _ quota: Sandbox.Quota) throws(APIFault) {
    let present = call.now.secondsSince1970 / 60
    if present != minute { (minute, counts) = (present, [:]) }
    let cost = call.method.method == .patch ? 3 : 1
    // `quotaUser` replaces the user.
    let user = "\(call.clientID) \(call.parameters["quotaUser"] ?? call.user)"
    guard counts[user, default: 0] + cost <= quota.perUser else {
      throw APIFault(
        status: 403, reason: "userRateLimitExceeded", message: "User Rate Limit Exceeded", domain: "usageLimits")
    }
    guard counts[call.clientID, default: 0] + cost <= quota.perClient else {
      throw APIFault(status: 403, reason: "rateLimitExceeded", message: "Rate Limit Exceeded", domain: "usageLimits")
    }
    counts[user, default: 0] += cost
    counts[call.clientID, default: 0] += cost
  }
}
