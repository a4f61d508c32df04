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
