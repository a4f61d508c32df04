// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The output of the commands that read, where it depends on the terminal or on zones.
///
/// The rest is in a transcript.
@Suite(.hangLimit) struct CalendarOutputTests {
  private let api = ScriptedCalendarAPI()

  private static let colors = ##"{"calendar": {"2": {"background": "#d06b64", "foreground": "#ffffff"}}}"##

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

  @Test(arguments: [
    (
      "2026-11-23T12:00:00+01:00|Europe/Berlin", "2026-11-23T13:00:00+01:00|Europe/Berlin",
      "Mon 2026-11-23 12:00–13:00 Europe/Berlin"
    ),
    (
      "2026-11-23T12:00:00+01:00|America/New_York", "2026-11-23T13:00:00+01:00|",
      "Mon 2026-11-23 06:00–07:00 America/New_York"
    ),
    (
      "2026-11-23T12:00:00+01:00|Mars/Olympus", "2026-11-23T13:00:00+01:00|Mars/Olympus",
      "Mon 2026-11-23 12:00–13:00 +01:00"
    ),
    ("2026-11-23T12:00:00Z|", "2026-11-23T13:00:00Z|", "Mon 2026-11-23 12:00–13:00 Z"),
    (
      "2026-11-23T12:00:00+01:00|Europe/Madrid", "2026-11-24T02:00:00+01:00|Asia/Tokyo",
      "Mon 2026-11-23 12:00 Europe/Madrid – 2026-11-24 10:00 Asia/Tokyo"
    ),
    ("2026-11-23T22:00:00Z|", "2026-11-24T02:09:00+01:00|", "Mon 2026-11-23 22:00 Z – 2026-11-24 02:09 +01:00"),
  ])
  func timesAreThoseOfTheZonesOfTheEvent(_ start: String, _ end: String, _ when: String) async throws {
    let times = [start, end].map { text in
      let parts = text.split(separator: "|", omittingEmptySubsequences: false)
      return #"{"dateTime": "\#(parts[0])"\#(parts[1].isEmpty ? "" : #", "timeZone": "\#(parts[1])""#)}"#
    }
    api.on("GET calendars/primary/events/e1", #"{"start": \#(times[0]), "end": \#(times[1])}"#)
    #expect(try await api.output("events get e1") == "Title  (no title)\nWhen   \(when)\n")
  }
}
