// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The complete output of the commands that read calendars, access, settings and free times.
@Suite(.hangLimit) struct CalendarOutputTests {
  private let api = ScriptedCalendarAPI()

  // MARK: Access, settings and colours

  @Test func accessIsATable() async throws {
    api.on(
      "GET calendars/primary/acl",
      """
      {"items": [
      {"id": "user:a", "role": "owner", "scope": {"type": "user", "value": "a@x.org"}},
      {"id": "group:b", "role": "writer", "scope": {"type": "group", "value": "b@x.org"}},
      {"id": "domain:c", "role": "reader", "scope": {"type": "domain", "value": "c.org"}},
      {"id": "default", "role": "freeBusyReader", "scope": {"type": "default"}},
      {"id": "d", "role": "writerWithoutPrivateAccess", "scope": {"type": "user"}},
      {"id": "e", "role": "none", "scope": {"type": "robot", "value": "r2"}},
      {"id": "f", "role": "guest"}, {}]}
      """)
    #expect(
      try await api.output("acl list") == """
        WHO            ROLE                                    ID
        user a@x.org   Owner                                   user:a
        group b@x.org  May change events                       group:b
        domain c.org   May see events                          domain:c
        everyone       May see free and busy times             default
        user ?         May change events that are not private  d
        robot r2       No access                               e
        f              guest                                   f
        ?              ?

        """)
    #expect(try JSONValue(json: Array(try await api.output("acl list --json").utf8)).array?.count == 8)
    api.on("GET calendars/work/acl", #"{"items": []}"#)
    #expect(try await api.output("acl list --calendar work") == "No access rules.\n")
    #expect(try await api.output("acl list --calendar work --json") == "[\n\n]\n")
  }

  private static let colors = ##"""
    {"calendar": {"10": {"background": "#b3dc6c", "foreground": "#000000"}, "2": {"background": "#d06b64", "foreground": "#ffffff"}, "x": {"background": "#000001", "foreground": "#ffffff"},
    "3": {"background": "none", "foreground": "#ffffff"}}, "event": {"1": {"background": "#a4bdfc", "foreground": "#1d1d1d"}}}
    """##

  @Test func coloursAreSamplesWithTheirNumbers() async throws {
    api.on("GET colors", Self.colors)
    let plain = try await api.output("colors")
    #expect(
      plain.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
        "Calendars", "2 #d06b64 Sample", "10 #b3dc6c Sample", "x #000001 Sample", "Events", "1 #a4bdfc Sample",
      ], "\(plain)")
    #expect(plain.contains("\n  2    #d06b64   Sample \n"))
    let painted = try await api.output("colors --color always")
    // White on this background would be hard to read.
    #expect(painted.hasPrefix("\u{1B}[1mCalendars\u{1B}[0m\n"))
    #expect(
      painted.contains("\n  2    #d06b64  \u{1B}[38;2;0;0;0;48;2;208;107;100m Sample \u{1B}[0m\n"))
    #expect(painted.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  /// The escape sequences at a terminal, and in a pipe, for each environment.
  @Test(arguments: [
    ("COLORTERM=truecolor TERM=xterm", "38;2;", ""), ("COLORTERM=24bit TERM=tmux-256color", "38;2;", ""),
    ("TERM=xterm-256color", "38;5;16;48;5;167", ""), ("TERM=screen.xterm-256color COLORTERM=", "38;5;", ""),
    ("TERM=xterm", "30;100", ""), ("TERM=linux COLORTERM=1", "30;100", ""), ("TERM=xterm-direct", "38;2;", ""),
    ("TERM=xterm-mono", "", ""), ("TERM=vt100", "", ""), ("TERM=dumb COLORTERM=truecolor", "", ""),
    ("TERM= COLORTERM=24bit", "", ""),
    ("COLORTERM=truecolor", "", ""), ("TERM=xterm-256color NO_COLOR=1", "", ""),
    ("TERM=xterm-256color NO_COLOR=", "38;5;", ""),
    ("TERM=xterm-256color CLICOLOR=0", "", ""), ("TERM=xterm-256color CLICOLOR_FORCE=1", "38;5;", "38;5;"),
    ("TERM=xterm-256color CLICOLOR_FORCE=0", "38;5;", ""), ("CLICOLOR_FORCE=1", "38;2;", "38;2;"),
    ("TERM=xterm-256color CLICOLOR_FORCE=1 NO_COLOR=1", "", ""),
  ])
  func colorsAreThoseOfTheTerminal(_ settings: String, _ shown: String, _ piped: String) async throws {
    api.on("GET colors", Self.colors)
    let harness = try await CommandHarness.signedIn(to: api)
    let pairs = settings.split(separator: " ").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
    let environment = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    for (options, isTerminal, expected) in [
      ([], true, shown), ([], false, piped), (["--color", "auto"], true, shown), (["--color", "never"], true, ""),
    ] {
      let console = ScriptedConsole(showsOutput: isTerminal)
      let output = await harness.run(["colors"] + options, environment: environment, console: console).output
      #expect(output.contains("\u{1B}[\(expected)") == !expected.isEmpty, "\(output)")
      #expect(output.contains("\u{1B}") == !expected.isEmpty)
    }
    let forced = await harness.run(["colors", "--color", "always"], environment: environment).output
    #expect(forced.contains("\u{1B}["))
  }

  // MARK: Free and busy

  // MARK: Calendars and agenda

  private func putCalendars() {
    api.on("GET colors", Self.colors)
    api.on(
      "GET users/me/calendarList",
      ##"""
      {"items": [
      {"id": "me@x.org", "summary": "Me", "primary": true, "accessRole": "owner", "timeZone": "Europe/Berlin", "backgroundColor": "#112233", "foregroundColor": "#ffffff"},
      {"id": "team@x.org", "summary": "Team", "summaryOverride": "Our team", "accessRole": "reader", "description": "All\nof us", "colorId": "2"},
      {"id": "secret@x.org", "summary": "Hidden", "hidden": true}, {"id": "old@x.org", "summary": "Old", "deleted": true}]}
      """##)
  }

  /// The titles have at most half of the terminal's width, and at least 20 columns.
  @Test(arguments: [(10, 20), (40, 20), (43, 21), (100, 26)])
  func titlesOfCalendarsAreCutToTheTerminal(_ width: Int, _ columns: Int) async throws {
    api.on("GET colors", Self.colors)
    api.on(
      "GET users/me/calendarList", #"{"items": [{"id": "me@x.org", "summary": "abcdefghijklmnopqrstuvwxyz"}]}"#)
    let harness = try await CommandHarness.signedIn(to: api)
    let output = await harness.run("calendars", console: ScriptedConsole(width: width)).output
    let title = "abcdefghijklmnopqrstuvwxyz".fitted(to: columns)
    #expect(output.hasPrefix(" \(title)  #"), "\(output)")
  }

  @Test func calendarsAreTwoLinesEach() async throws {
    putCalendars()
    let lines = try await api.output("calendars").split(separator: "\n").map(String.init)
    let texts = lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      Array(texts.prefix(4)) == [
        "Me #112233 owner Europe/Berlin primary", "me@x.org", "Our team #d06b64 reader", "All of us",
      ])
    #expect(Set(lines.map(\.displayWidth)).count == 1, "\(lines)")
    #expect(lines[0].hasPrefix(" Me          #112233  owner   Europe/Berlin  primary"))
    let painted = try await api.output("calendars --color always")
    #expect(painted.contains("\u{1B}[38;2;255;255;255;48;2;17;34;51m Me "))
    #expect(painted.split(separator: "\n").allSatisfy { $0.hasPrefix("\u{1B}[38;2;") && $0.hasSuffix("\u{1B}[0m") })
  }

  @Test func agendaIsADayAfterTheOther() async throws {
    putCalendars()
    api.on(
      "GET calendars/me@x.org/events",
      """
      {"items": [{"summary": "Late", "start": {"dateTime": "2026-11-24T18:00:00+01:00"}, "end": {"dateTime": "2026-11-24T19:00:00+01:00"}},
      {"start": {"dateTime": "2026-11-23T09:00:00+01:00"}},
      {"summary": "Gone", "status": "cancelled", "start": {"date": "2026-11-23"}},
      {"summary": "Since Friday", "start": {"date": "2026-11-20"}, "end": {"date": "2026-11-26"}}]}
      """)
    api.on(
      "GET calendars/team@x.org/events",
      """
      {"items": [{"summary": "Early", "start": {"dateTime": "2026-11-24T08:00:00+01:00"}, "end": {"dateTime": "2026-11-24T08:30:00+01:00"}},
      {"summary": "Also", "start": {"dateTime": "2026-11-24T18:00:00+01:00"}, "end": {"dateTime": "2026-11-24T19:00:00+01:00"}},
      {"summary": "Nowhere"}]}
      """)
    #expect(
      try await api.output("agenda") == """
        2026-11-22 Sunday
          day 3 of 6    Me                      Since Friday
        2026-11-23 Monday
          day 4 of 6    Me                      Since Friday
          09:00         Me                      (no title)
        2026-11-24 Tuesday
          day 5 of 6    Me                      Since Friday
          08:00–08:30   Our team                Early
          18:00–19:00   Our team                Also
          18:00–19:00   Me                      Late
        2026-11-25 Wednesday
          day 6 of 6    Me                      Since Friday
        Times are in the zone Europe/Berlin.

        """)
    let read = api.requests.filter { $0.url.path().hasSuffix("/events") }
    #expect(
      Set(read.map { $0.url.path(percentEncoded: false) }) == [
        "/calendar/v3/calendars/me@x.org/events", "/calendar/v3/calendars/team@x.org/events",
      ])
    for request in read {
      #expect(
        request.parameters.filter { $0.key != "maxResults" } == [
          "timeMin": "2026-11-21T20:00:00Z", "timeMax": "2026-11-29T02:00:00Z", "timeZone": "Europe/Berlin",
          "singleEvents": "true", "orderBy": "startTime",
        ])
    }
    let json = try #require(try JSONValue(json: Array(try await api.output("agenda --json").utf8)).array)
    #expect(json.map { $0["summary"]?.string } == ["Since Friday", nil, "Early", "Also", "Late"])
    #expect(json[0]["calendar"] == ["id": "me@x.org", "title": "Me"])
    #expect(json[2]["calendar"] == ["id": "team@x.org", "title": "Our team"])
    #expect(try await api.output("agenda --days 366").contains("2026-11-22 Sunday"))
    #expect(api.requests.last?.parameters["timeMax"] == "2027-11-23T02:00:00Z")
  }

  @Test func emptyAgendaIsStated() async throws {
    putCalendars()
    for id in ["me@x.org", "team@x.org"] { api.on("GET calendars/\(id)/events", #"{"items": []}"#) }
    #expect(try await api.output("agenda") == "No events in the next 7 days.\n")
    #expect(try await api.output("agenda --days 1") == "No events today.\n")
    #expect(try await api.output("agenda --json") == "[\n\n]\n")
  }
}
