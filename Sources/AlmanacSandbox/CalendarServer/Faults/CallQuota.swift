// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// Counts calls in the present minute.
struct CallCounter: Sendable {
  private var minute: Int64 = 0
  private var counts: [String: Int] = [:]

  /// Counts a call, or refuses it.
  mutating func count(_ call: CalendarCall, _ quota: Sandbox.Quota) throws(APIFault) {
    let present = call.now.secondsSince1970 / 60
    if present != minute { (minute, counts) = (present, [:]) }
    let cost = call.method.method == .patch ? 3 : 1
    // The parameter stands for the user.
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
