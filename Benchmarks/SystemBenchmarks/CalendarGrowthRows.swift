// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import BenchmarkHarness
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

// Calls of the sandbox's Calendar API, without sockets, by the number of events in the calendar.
extension SandboxGrowthRows {
  static var calendars: [Row] {
    let fixtures = CalendarFixtures()
    let row = { (name: String, total: Int, work: @escaping @Sendable (CalendarFixture) async throws -> Void) in
      Row.growth("Sandbox: \(name)", sizes, step: 8, total: total) { size in
        {
          let fixture = fixtures.fixture(size)
          wait { for _ in 0..<total { try await work(fixture) } }
          return total
        }
      }
    }
    return CalendarFixture.listings.map { listing in
      row("events.list, \(listing.name)", 1) { try await $0.list(listing.query) }
    } + [
      row("events.list, one change to synchronize", 16) { try await $0.synchronize() },
      row("events.patch", 16) { try await $0.patch() },
    ]
  }

  private static let sizes = 1024...(Counting.isActive ? 8192 : 65_536)
}

/// The sandboxes, one for each number of events, made when they are first needed.
private final class CalendarFixtures: Sendable {
  private let fixtures = Mutex<[Int: CalendarFixture]>([:])

  func fixture(_ size: Int) -> CalendarFixture {
    if let ready = fixtures.withLock({ $0[size] }) { return ready }
    let fixture = wait { try await CalendarFixture(events: size) }
    fixtures.withLock { $0[size] = fixture }
    return fixture
  }
}

/// A sandbox with a number of events in one calendar.
private struct CalendarFixture: Sendable {
  /// The listings of which a page in the middle is measured.
  static let listings = [
    (name: "a page", query: ""), (name: "a page by start time", query: "singleEvents=true&orderBy=startTime"),
    (name: "a page by update", query: "orderBy=updated"), (name: "100 minutes", query: hundredMinutes),
  ]
  /// The number of events of a page, which is the default of 250, or so few that the instructions show a search through all events.
  private static let pageSize = Counting.isActive ? 10 : 250
  private static let hundredMinutes =
    "timeMin=\((start + .seconds(400 * 60)).rfc3339())&timeMax=\((start + .seconds(500 * 60)).rfc3339())"
  private static let start = Timestamp(secondsSince1970: 1_772_323_200)

  private let transport: any Transport
  private let events: URL
  private let token: Secret
  /// The token of the page in the middle of each listing.
  private var middle: [String: String] = [:]
  private var syncToken = ""

  init(events count: Int) async throws {
    let sandbox = Sandbox { $0.accessTokenLifetime = .seconds(3600 * 24) }
    guard let url = URL(string: "https://sandbox.example"),
      let redirect = URL(string: "http://127.0.0.1:49152/callback")
    else { throw URLError(.badURL) }
    transport = sandbox.transport(at: url)
    events = url.appending(path: "calendar/v3/calendars/primary/events")
    let client = try OAuthClient(
      server: sandbox.provider(at: url).server, registration: ClientRegistration(clientID: "almanac"),
      transport: transport)
    let pending = try await client.beginAuthorization(
      scopes: ["https://www.googleapis.com/auth/calendar"], redirectURI: redirect)
    token = try await client.completeAuthorization(pending, callback: try sandbox.approve(pending.authorizationURL))
      .accessToken
    // One in each minute. Neither the order of insertion nor that of the identifiers is that of time.
    for index in 0..<count {
      let start = Self.start + .seconds(index * 104_729 % count * 60)
      let event =
        #"{"id":"event\#(index)","summary":"Planificación","start":{"dateTime":"\#(start.rfc3339())"},"#
        + #""end":{"dateTime":"\#((start + .seconds(1800)).rfc3339())"}}"#
      try await send(.post, events, body: event)
    }
    for listing in Self.listings {
      var (query, pages) = (listing.query, [String]())
      while let next = try await page(query).nextPageToken {
        pages.append(next)
        query = "\(listing.query)&pageToken=\(next)"
      }
      middle[listing.query] = pages.isEmpty ? "" : "&pageToken=\(pages[pages.count / 2])"
      if listing.query.isEmpty { syncToken = try await page(query).nextSyncToken ?? "" }
    }
    try await patch()
  }

  func list(_ query: String) async throws { try await send(.get, url(query + (middle[query] ?? ""))) }

  func synchronize() async throws { try await send(.get, url("syncToken=\(syncToken)")) }

  func patch() async throws {
    try await send(.patch, events.appending(path: "event100"), body: #"{"summary":"Planificación","location":"A"}"#)
  }

  private func page(_ query: String) async throws -> EventsPage {
    try EventsPage(json: try await send(.get, url(query)))
  }

  private func url(_ query: String) throws -> URL {
    guard let url = URL(string: "\(events)?maxResults=\(Self.pageSize)&\(query)") else { throw URLError(.badURL) }
    return url
  }

  @discardableResult
  private func send(_ method: HTTPMethod, _ url: URL, body: String? = nil) async throws -> [UInt8] {
    var fields: HTTPFields = ["Authorization": "Bearer \(token.reveal())"]
    if body != nil { fields["Content-Type"] = "application/json" }
    let response = try await transport.send(HTTPRequest(method, url, fields: fields, body: body.map { Array($0.utf8) }))
    precondition(response.status == 200, "\(method): status \(response.status)")
    return response.body
  }
}
