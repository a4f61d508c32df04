// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension CalendarClient {
  /// The options that apply to every request of a client
  /// ([parameters](https://developers.google.com/workspace/calendar/api/v3/reference/query-parameters)).
  ///
  /// The API has four more parameters, which are left out on purpose: `alt`, because responses are always JSON; `key` and
  /// `oauth_token`, because a secret does not belong in a URL (a transport adds them as header fields); and `userIp`, which
  /// is deprecated. The fields of a response are set per request: ``CalendarRequest/fields``.
  public struct Options: Sendable, Hashable {
    /// Whether responses are indented.
    ///
    /// The server's default is `true`.
    public var prettyPrint: Bool?
    /// The user that the quota is counted for, at most 40 characters, if a server works for many users.
    public var quotaUser: String?
    /// How often and after which pauses a request is sent again.
    ///
    /// It holds for the whole call: a transport that retries sends each attempt once. `RetryPolicy.none` leaves retries to the
    /// transport.
    public var retryPolicy: RetryPolicy
    /// Whether a request is refused, with ``CalendarError/Code/invalidRequest``, that the server would silently change:
    /// too long a name of an extended property, say.
    ///
    /// Defaults to `true`.
    public var checksLimits: Bool
    /// The maximum number of requests that `batch` sends in one HTTP request, 1 to 1,000.
    ///
    /// Defaults to 1,000, the server's own limit.
    public var maximumBatchSize: Int

    /// The number of requests in a batch that Google accepts.
    static let batchLimit = 1000

    /// Creates options.
    public init(
      prettyPrint: Bool? = nil, quotaUser: String? = nil, retryPolicy: RetryPolicy = .default,
      checksLimits: Bool = true,
      maximumBatchSize: Int = 1000
    ) {
      self.prettyPrint = prettyPrint
      self.quotaUser = quotaUser
      self.retryPolicy = retryPolicy
      self.checksLimits = checksLimits
      self.maximumBatchSize = maximumBatchSize
    }
  }
}
