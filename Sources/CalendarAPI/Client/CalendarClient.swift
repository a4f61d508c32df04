// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

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
/// let client = CalendarClient(transport: http.authorized(by: tokens))
/// let colors = try await client.colors.get()
/// for try await entry in client.calendarList.entries() {
///   print(entry.title, colors.appearance(of: entry).background)
/// }
/// ```
///
/// The client knows nothing of authorization: it takes a transport that adds it. It keeps no state, and any number of
/// tasks may use it at the same time. Every method throws
/// - ``CalendarError`` when the server refuses or its response cannot be read,
/// - `TransportError`, or whatever else the transport throws, when no response came,
/// - `CancellationError`, promptly, when the task is cancelled.
public struct CalendarClient: Sendable {
  private let transport: any Transport
  private let baseURL: String

  /// What goes with every request.
  public var options = Options()

  /// Creates a client of Google's own server.
  ///
  /// - Parameter transport: Sends the requests, and adds the authorization.
  public init(transport: some Transport) {
    self.transport = transport
    baseURL = "https://www.googleapis.com/"
  }

  /// Creates a client of another server.
  ///
  /// - Parameters:
  ///   - transport: Sends the requests, and adds the authorization.
  ///   - baseURL: The root of the server, below which `calendar/v3/` and `batch/calendar/v3` are. A query in it is left
  ///     out.
  public init(transport: some Transport, baseURL: URL) {
    self.transport = transport
    let address = baseURL.absoluteString.prefix { $0 != "?" && $0 != "#" }
    self.baseURL = address.hasSuffix("/") ? String(address) : address + "/"
  }
}

extension CalendarClient {
  /// The one way in which every method of the API is called.
  func send<Answer>(_ call: Call<Answer>) async throws -> Answer {
    let request = try call.request(below: baseURL, options)
    try Task.checkCancellation()
    let response = try await transport.send(request)
    try Task.checkCancellation()
    return try call.answer(response)
  }
}
