// SPDX-License-Identifier: Apache-2.0

package import Timekeeping

/// The limits and waits for retrying a request.
///
/// The wait after attempt *n* is random, between zero and the smaller of `baseDelay` × 2ⁿ⁻¹ and `maximumDelay` (truncated
/// exponential backoff with full jitter). It is never shorter than the server's `Retry-After`
/// ([RFC 9110 § 10.2.3](https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3)).
///
/// If several layers retry, a call makes the attempts of one policy. The outermost layer decides, and the layers below
/// send each of its attempts once, even if a decorator creates a request. The waits of a call therefore take at most
/// `maximumAttempts` − 1 times the larger of `maximumDelay` and `maximumRetryAfter`. A repeat with a new access token
/// or for a DPoP nonce is not an attempt. A token request sent meanwhile is a separate call.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first, at least 1.
  public var maximumAttempts: Int
  /// The upper bound of the first wait.
  public var baseDelay: Duration
  /// The upper bound of every computed wait.
  public var maximumDelay: Duration
  /// The longest `Retry-After` to wait for.
  ///
  /// If the server requests a longer wait, its response is returned.
  public var maximumRetryAfter: Duration
  /// The statuses with which a server rejects a request without carrying it out.
  ///
  /// After them, any request can be retried, including a token request. Defaults to 429. Add 503 only for servers that
  /// respond with it before they do any part of the work.
  public var unprocessedStatuses: Set<Int>

  /// Creates a policy.
  public init(
    maximumAttempts: Int = 4, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(16),
    maximumRetryAfter: Duration = .seconds(60), unprocessedStatuses: Set<Int> = [429]
  ) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.baseDelay = max(.zero, baseDelay)
    self.maximumDelay = max(.zero, maximumDelay)
    self.maximumRetryAfter = max(.zero, maximumRetryAfter)
    self.unprocessedStatuses = unprocessedStatuses
  }

  /// Four attempts, waits of up to 0.5, 1 and 2 seconds, `Retry-After` up to a minute.
  public static let `default` = RetryPolicy()

  /// One attempt.
  ///
  /// A layer with this policy does not retry, and leaves retries to the layers below it.
  public static let none = RetryPolicy(maximumAttempts: 1)

  /// Whether a layer with this policy retries.
  package var retries: Bool { maximumAttempts > 1 }
}

extension RetryPolicy {
  /// Whether the request may be sent again after a response with `status`.
  ///
  /// A non-repeatable request is retried only after one of ``unprocessedStatuses``. After any other status, including
  /// 503 with `Retry-After`, the outcome is unknown.
  ///
  /// A request with a proof of possession is never retried unchanged: a server accepts each proof once
  /// ([RFC 9449 § 11.1](https://www.rfc-editor.org/rfc/rfc9449.html#section-11.1)).
  func mayRetry(_ request: HTTPRequest, after status: Int) -> Bool {
    guard !request.hasProof else { return false }
    return switch status {
    case _ where unprocessedStatuses.contains(status): true
    case 408, 500, 502, 503, 504: request.isRepeatable
    default: false
    }
  }

  /// Whether a fault allows another attempt: the request did not reach a server, or may be repeated.
  ///
  /// Returns `false` if a token request for this request lost its connection, or if the call's attempts are spent.
  package func mayRetry(_ request: HTTPRequest, after error: TransportError) -> Bool {
    guard !error.isSpent else { return false }
    return switch error.code {
    case .unreachable: true
    case .connectionLost, .truncated: request.isRepeatable && !request.hasProof && !error.isOfPreparation
    default: false
    }
  }

  /// The wait before the attempt after `attempt` (1 for the first), for a fraction drawn from 0 to 1.
  package func delay(after attempt: Int, fraction: Double) -> Duration {
    let factor = 1 << min(max(attempt - 1, 0), 30)
    // Divided, because the product of a long delay overflows.
    let bound = baseDelay < maximumDelay / factor ? baseDelay * factor : maximumDelay
    // Limited, because the longest duration of all, rounded to a `Double`, overflows.
    return min(bound, .seconds(Int64.max)) * min(max(fraction, 0), 1)
  }
}

extension HTTPRequest {
  /// Whether the request has a proof of possession, which a server accepts once.
  fileprivate var hasProof: Bool { fields["DPoP"] != nil }
}

extension HTTPResponse {
  /// The wait requested by `Retry-After`, as seconds or as a date
  /// ([RFC 9110 § 10.2.3](https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3)), or `nil` without one.
  ///
  /// It is negative for a date in the past.
  ///
  /// - Parameter now: The current time, for a response without `Date`.
  package func retryAfter(_ now: Timestamp) -> Duration? {
    guard let value = fields["Retry-After"] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      // A number too large for an integer means longer than any caller waits.
      return .seconds(Int64(value) ?? Int64(Int32.max))
    }
    guard let date = HTTPDate.parse(value) else { return nil }
    // The date is in the server's time, so it is compared with the response's `Date` if present.
    return date - (fields["Date"].flatMap(HTTPDate.parse) ?? now)
  }
}
