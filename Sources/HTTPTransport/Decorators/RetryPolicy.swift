/// When and how long to wait before a request is sent again.
///
/// The wait after attempt *n* is drawn at random between zero and the smaller of `baseDelay` × 2ⁿ⁻¹ and `maximumDelay`
/// (truncated exponential backoff with full jitter), and at least what the server asked for in `Retry-After`
/// ([RFC 9110 § 10.2.3](https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3)).
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent at most, the first time included; at least 1.
  public var maximumAttempts: Int
  /// The upper bound of the first wait.
  public var baseDelay: Duration
  /// The upper bound of every computed wait.
  public var maximumDelay: Duration
  /// The longest `Retry-After` that is waited for. A server that asks for more has its answer returned instead.
  public var maximumRetryAfter: Duration

  /// Creates a policy.
  public init(
    maximumAttempts: Int = 4, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(16),
    maximumRetryAfter: Duration = .seconds(60)
  ) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.baseDelay = max(.zero, baseDelay)
    self.maximumDelay = max(.zero, maximumDelay)
    self.maximumRetryAfter = max(.zero, maximumRetryAfter)
  }

  /// Four attempts, waits of up to 0.5, 1 and 2 seconds, `Retry-After` up to a minute.
  public static let `default` = RetryPolicy()
}

extension RetryPolicy {
  /// Whether an answer says that the request may be sent again.
  ///
  /// 429 and 503 with `Retry-After` say that the server did not do the work, which holds for any request; the other
  /// statuses leave it open, so that the request must be repeatable.
  func mayRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
    switch response.status {
    case 429: true
    case 503: request.isRepeatable || response.fields["Retry-After"] != nil
    case 408, 500, 502, 504: request.isRepeatable
    default: false
    }
  }

  /// Whether a fault leaves room for another attempt: the request did not reach a server, or may be repeated.
  func mayRetry(_ request: HTTPRequest, after error: TransportError) -> Bool {
    switch error.code {
    case .unreachable: true
    case .connectionLost, .truncated: request.isRepeatable
    default: false
    }
  }

  /// The wait before the attempt after `attempt` (1 for the first), for a fraction drawn from 0 ... 1.
  func delay(after attempt: Int, fraction: Double) -> Duration {
    let bound = min(maximumDelay, baseDelay * (1 << min(attempt - 1, 30)))
    return bound * min(max(fraction, 0), 1)
  }
}
