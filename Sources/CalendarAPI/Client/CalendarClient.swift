// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation
public import Timekeeping

/// A client for the Google Calendar API, version 3
/// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference)).
///
/// Its methods are grouped as in the reference. Parameters and fields have Google's names:
///
/// ```swift
/// let client = CalendarClient(transport: http.authorized(by: tokens, for: [.googleAPIs]))
/// let colors = try await client.colors.get()
/// for try await entry in client.calendarList.all() {
///   print(entry.title, colors.appearance(of: entry).background)
/// }
/// ```
///
/// Every method is also available as a value, a ``CalendarRequest``. Set a condition or a field mask on it, and send it with
/// ``send(_:)``.
///
/// The transport adds the authorization. Any number of tasks can use a client concurrently. All copies of a client
/// share the request rate learned from the server. Every method throws:
/// - ``CalendarError`` if the server rejects the request, its response cannot be read, or the request exceeds a limit
/// - `TransportError`, or any other error of the transport, if no response was received
/// - `CancellationError`, promptly, if the task is cancelled
public struct CalendarClient: Sendable {
  let transport: any Transport
  let baseURL: String
  let clock: any WallClock
  let pacer = RequestPacer()

  /// The options for every request.
  public var options: Options

  /// Creates a client for Google's server.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends the requests and adds the authorization. The client decides about retries:
  ///     a retrying transport sends each attempt once.
  ///   - options: The options for every request.
  ///   - clock: The clock for delays between attempts.
  public init(transport: some Transport, options: Options = Options(), clock: some WallClock = SystemClock()) {
    self.init(transport: transport, root: "https://www.googleapis.com/", options, clock)
  }

  /// Creates a client for another server.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends the requests and adds the authorization. The client decides about retries:
  ///     a retrying transport sends each attempt once.
  ///   - baseURL: The root URL of the server, the parent of `calendar/v3/` and `batch/calendar/v3`. Its query and fragment are
  ///     ignored.
  ///   - options: The options for every request.
  ///   - clock: The clock for delays between attempts.
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
  /// The options for every request of a client
  /// ([parameters](https://developers.google.com/workspace/calendar/api/v3/reference/query-parameters)).
  ///
  /// Four parameters of the API are omitted on purpose:
  /// - `alt`, because responses are always JSON
  /// - `key` and `oauth_token`, because secrets do not belong in a URL: a transport adds them as header fields
  /// - `userIp`, because it is deprecated
  ///
  /// Set the fields of a response for each request, with ``CalendarRequest/fieldMask``.
  public struct Options: Sendable, Hashable {
    /// Whether responses are indented.
    ///
    /// The server defaults to `true`.
    public var prettyPrint: Bool?
    /// The user to whom the quota is charged, at most 40 characters, for a server that acts for many users.
    public var quotaUser: String?
    /// The retry policy.
    ///
    /// The policy applies to the whole call: a retrying transport sends each attempt once. `RetryPolicy.none` leaves
    /// retries to the transport.
    public var retryPolicy: RetryPolicy
    /// Whether the client rejects requests that the server would reject, truncate or ignore in part.
    ///
    /// An example is an event with an extended property whose name is too long.
    ///
    /// Such requests fail with code ``CalendarError/Code/invalidRequest`` and are not sent. Defaults to `true`.
    public var checksLimits: Bool
    /// The maximum number of requests per HTTP request of `batch`, 1 to 1,000.
    ///
    /// Defaults to 1,000, the server's limit.
    public var maximumBatchSize: Int

    /// Google's maximum number of requests in a batch.
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
  /// The origin of the Calendar API, `https://www.googleapis.com`, which receives the access token.
  public static let googleAPIs = Origin(scheme: "https", host: "www.googleapis.com", port: 443)
}
