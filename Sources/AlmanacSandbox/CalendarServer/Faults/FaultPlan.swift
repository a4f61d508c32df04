// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The remaining injected faults.
struct FaultPlan: Sendable {
  private var faults: [(fault: Sandbox.CallFault, seen: Int)] = []

  mutating func append(_ fault: Sandbox.CallFault) { faults.append((fault, 0)) }

  /// Returns the fault of a call, or `nil`, and counts it as used.
  mutating func next(for method: String) -> Sandbox.CallFault? {
    for index in faults.indices where faults[index].fault.method ?? method == method {
      faults[index].seen += 1
      guard faults[index].seen % faults[index].fault.every == 0 else { continue }
      let fault = faults[index].fault
      faults[index].fault.count -= 1
      if faults[index].fault.count == 0 { faults.remove(at: index) }
      return fault
    }
    return nil
  }
}

extension Sandbox.CallFault {
  var apiFault: APIFault {
    let isLimit = ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"].contains(reason)
    return APIFault(
      status: status, reason: reason, message: Self.messages[reason] ?? "The sandbox was configured to fail.",
      domain: isLimit ? "usageLimits" : "global")
  }

  private static let messages = [
    "authError": "Invalid Credentials", "backendError": "Backend Error", "conflict": "Conflict",
    "dailyLimitExceeded": "Daily Limit Exceeded", "internalError": "Internal Error", "notFound": "Not Found",
    "quotaExceeded": "Calendar usage limits exceeded.", "rateLimitExceeded": "Rate Limit Exceeded",
    "userRateLimitExceeded": "User Rate Limit Exceeded",
  ]
}
