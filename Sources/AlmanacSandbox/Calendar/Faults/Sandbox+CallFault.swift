// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Sandbox {
  /// A failure of calls of the Calendar API, on request.
  ///
  /// ```swift
  /// sandbox.failCalls(Sandbox.CallFault(status: 403, reason: "rateLimitExceeded", count: 2))
  /// sandbox.failCalls(Sandbox.CallFault(status: 503, reason: "backendError", method: "events.insert", isCarriedOut: true))
  /// ```
  public struct CallFault: Sendable, Hashable {
    /// The status of the response; 200 leaves the response as it is, for a call that is only slow.
    public var status: Int
    /// The reason in the error, such as `rateLimitExceeded`.
    public var reason: String
    /// The method that fails, such as `events.insert`; `nil` for all.
    public var method: String?
    /// How many calls fail.
    public var count: Int
    /// Which calls fail: 1 means each, 3 every third.
    public var every: Int
    /// Whether the call is carried out before it fails, as when the response is lost.
    public var isCarriedOut: Bool
    /// How long the response takes, by the sandbox's clock.
    public var delay: Duration?

    /// Creates a failure.
    public init(
      status: Int, reason: String, method: String? = nil, count: Int = 1, every: Int = 1, isCarriedOut: Bool = false,
      delay: Duration? = nil
    ) {
      self.status = status
      self.reason = reason
      self.method = method
      self.count = count
      self.every = every
      self.isCarriedOut = isCarriedOut
      self.delay = delay
    }

    /// Creates a delay of calls that do not fail otherwise.
    public static func slow(by delay: Duration, method: String? = nil, count: Int = 1) -> CallFault {
      CallFault(status: 200, reason: "", method: method, count: count, delay: delay)
    }
  }

  /// Makes the next calls of the Calendar API fail.
  ///
  /// Calls with a good access token and sufficient scopes count; those in a batch count each. Of several failures that a call
  /// meets the first that was requested is taken.
  public func failCalls(_ fault: CallFault) { faults.withLock { $0.append(fault) } }

  /// Ends all failures that were requested.
  public func stopFailing() { faults.withLock { $0 = FaultPlan() } }
}

/// The failures that were requested.
struct FaultPlan: Sendable {
  private var faults: [(fault: Sandbox.CallFault, seen: Int)] = []

  mutating func append(_ fault: Sandbox.CallFault) {
    if fault.count > 0, fault.every > 0 { faults.append((fault, 0)) }
  }

  /// The failure of a call, which is used up by it.
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
      status: status, reason: reason, message: Self.messages[reason] ?? "The sandbox was told to fail.",
      domain: isLimit ? "usageLimits" : "global")
  }

  private static let messages = [
    "authError": "Invalid Credentials", "backendError": "Backend Error", "conflict": "Conflict",
    "dailyLimitExceeded": "Daily Limit Exceeded", "internalError": "Internal Error", "notFound": "Not Found",
    "quotaExceeded": "Calendar usage limits exceeded.", "rateLimitExceeded": "Rate Limit Exceeded",
    "userRateLimitExceeded": "User Rate Limit Exceeded",
  ]
}
