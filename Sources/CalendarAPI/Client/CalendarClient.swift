// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The Google Calendar API, version 3
/// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference)).
///
/// Its methods are grouped as in the reference, and parameters and fields have Google's own names:
///
/// ```swift
/// let client = CalendarClient(transport: http.authorized(by: tokens, for: [.googleAPIs]))
/// let colors = try await client.colors.get()
/// for try await entry in client.calendarList.entries() {
///   print(entry.title, colors.appearance(of: entry).background)
/// }
/// ```
///
/// Every method is also a value, a ``CalendarRequest``, which can be given a condition or a selection of fields before
/// ``send(_:)`` sends it.
///
/// The client knows nothing of authorization: it takes a transport that adds it. Any number of tasks may use it at the same
/// time; all copies share what was learned about the rate that the server accepts. Every method throws
/// - ``CalendarError`` if the server refuses, its response cannot be read, or the request breaks a limit,
/// - `TransportError`, or whatever else the transport throws, if no response was received,
/// - `CancellationError`, promptly, if the task is cancelled.
public struct CalendarClient: Sendable {
  let transport: any Transport
  let baseURL: String
  let clock: any WallClock
  let pacer = RequestPacer()

  /// The options that apply to every request.
  public var options: Options

  /// Creates a client of Google's own server.
  ///
  /// - Parameters:
  ///   - transport: Sends the requests, and adds the authorization. The client decides about retries: a transport that retries sends
  ///     each attempt once.
  ///   - options: The options that apply to every request.
  ///   - clock: The clock that pauses are measured by.
  public init(transport: some Transport, options: Options = Options(), clock: some WallClock = SystemClock()) {
    self.init(transport: transport, root: "https://www.googleapis.com/", options, clock)
  }

  /// Creates a client of another server.
  ///
  /// - Parameters:
  ///   - transport: Sends the requests, and adds the authorization. The client decides about retries: a transport that retries sends
  ///     each attempt once.
  ///   - baseURL: The root of the server, below which `calendar/v3/` and `batch/calendar/v3` are. A query in it is left
  ///     out.
  ///   - options: The options that apply to every request.
  ///   - clock: The clock that pauses are measured by.
  public init(
    transport: some Transport, baseURL: URL, options: Options = Options(), clock: some WallClock = SystemClock()
  ) {
    let url = baseURL.absoluteString.prefix { $0 != "?" && $0 != "#" }
    self.init(transport: transport, root: url.hasSuffix("/") ? String(url) : url + "/", options, clock)
  }

  private init(transport: any Transport, root: String, _ options: Options, _ clock: any WallClock) {
    self.transport = transport
    baseURL = root
    self.options = options
    self.clock = clock
  }
}

extension CalendarClient {
  /// The options that apply to every request of a client
  /// ([parameters](https://developers.google.com/workspace/calendar/api/v3/reference/query-parameters)).
  ///
  /// The API has four more parameters, which are left out on purpose: `alt`, because responses are always JSON; `key` and
  /// `oauth_token`, because a secret does not belong in a URL (a transport adds them as header fields); and `userIp`, which
  /// is deprecated. The fields of a response are set per request: ``CalendarRequest/fieldMask``.
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

extension Origin {
  /// `https://www.googleapis.com`, where the Calendar API is: the origin that may see the access token.
  public static let googleAPIs = Origin(scheme: "https", host: "www.googleapis.com", port: 443)
}
