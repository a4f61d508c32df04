// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// The messages for wrong calls, word for word: no request makes a change, and standard output is empty.
@Suite(.takesTurns) struct UsageMessageTests {
  /// A call, the command whose help is named, and the message.
  typealias Row = (arguments: String, command: String, message: String)

  private func expect(
    _ row: Row, of harness: CommandHarness, console: ScriptedConsole = ScriptedConsole(),
    at location: SourceLocation = #_sourceLocation
  ) async {
    // `·` stands for a space within an argument.
    let arguments = row.arguments.split(separator: " ").map {
      String($0).replacing("·", with: " ").replacing("∅", with: "")
    }
    let result = await harness.run(arguments, console: console)
    let help = row.command.isEmpty ? "almanac --help" : "almanac \(row.command) --help"
    #expect(result.errors == "almanac: \(row.message) See \(help).\n", sourceLocation: location)
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty, sourceLocation: location)
    // A program is told the same, and the code.
    guard !arguments.contains("--"), !row.message.hasSuffix("needs a value.") else { return }
    let json = await harness.run(arguments + ["--json"], console: console)
    #expect(json.status == AlmanacCLI.ExitStatus.usage && json.output.isEmpty, sourceLocation: location)
    #expect(json.error?["message"]?.string == "\(row.message) See \(help).", sourceLocation: location)
    #expect(json.error?["code"] == "usage" && json.error?["exitStatus"] == 2, sourceLocation: location)
  }

  // MARK: Words

  @Test(
    arguments: [
      (
        "nonsense", "",
        """
        There is no such command. The commands are demo, sandbox, sign-in, whoami, accounts, token, status, revoke, agenda, \
        events, calendars, acl, free, colors, settings, profile, call, discover, credentials.
        """
      ),
      ("events", "", "events is followed by list, get, add, quick-add, edit, move, delete."),
      ("events nonsense", "", "events is followed by list, get, add, quick-add, edit, move, delete."),
      ("acl", "", "acl is followed by list, add, edit, delete."),
      ("calendars nonsense", "calendars", "calendars takes 0 arguments."),
      ("status -", "status", "status takes 0 arguments."), ("status -- --json", "status", "status takes 0 arguments."),
      ("call", "call", "METHOD is missing."), ("call GET", "call", "URL is missing."),
      ("call GET a b", "call", "call takes 2 arguments."), ("settings a b", "settings", "settings takes 1 arguments."),
      ("events get", "events get", "ID is missing."), ("events quick-add", "events quick-add", "TEXT is missing."),
      ("status --nonsense", "status", "status has no option --nonsense."),
      ("status --nonsense=s3cret", "status", "status has no option --nonsense."),
      ("status -s3cret", "status", "status has no option -s."), ("status --", "", ""),
      ("status --account a --account b", "status", "--account is given twice."),
      ("status --account=a --account=b", "status", "--account is given twice."),
      ("accounts --color always --color never", "accounts", "--color is given twice."),
      ("token --reveal --reveal", "token", "--reveal is given twice."),
      ("token --reveal=yes", "token", "--reveal takes no value."),
      ("token --reveal=", "token", "--reveal takes no value."),
      ("status --account", "status", "--account needs a value."), ("agenda --days", "agenda", "--days needs a value."),
      ("status --color sometimes", "", "--color is auto, always or never."),
    ].filter { !$0.2.isEmpty } as [Row])
  func wordIsNotUnderstood(_ row: Row) async { await expect(row, of: CommandHarness()) }

  @Test func programAloneIsExplainedOnStandardError() async {
    let result = await CommandHarness().run()
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty)
    let help = await CommandHarness().run("--help")
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(
      help.output == result.errors && help.output.hasPrefix("OAuth 2.0 and Google Calendar at the command line.\n"))
    for word in ["-h", "help"] { #expect(await CommandHarness().run(word).output == help.output) }
  }

  @Test(arguments: ["events", "acl"]) func groupIsExplained(_ group: String) async {
    let harness = CommandHarness()
    let help = await harness.run(group, "--help")
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(help.output.contains("\nUsage: almanac \(group) COMMAND [OPTION]...\n\nCommands:\n  \(group) list "))
    #expect(help.output.hasSuffix("\"almanac \(group) COMMAND --help\" tells more.\n"))
    #expect(await harness.run(group, "-h").output == help.output)
    #expect(await harness.run(group, "--help", "more").status == .usage)
    #expect(await harness.run(group, "--verbose").status == .usage)
  }

  @Test(arguments: Command.all.map(\.name)) func commandIsExplained(_ name: String) async {
    let harness = CommandHarness()
    let words = name.split(separator: " ").map(String.init)
    let help = await harness.run(words + ["--help"])
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(help.output.contains("\n\nUsage: almanac \(name) [OPTION]..."))
    for option in ["json", "color WHEN", "help"] { #expect(help.output.contains("\n  --\(option) ")) }
    #expect(help.output.contains("\nCommands:\n") == ["calendars"].contains(name))
    #expect(await harness.run(words + ["-h"]).output == help.output)
    // An option beside it is not looked at, and neither are missing arguments.
    #expect(await harness.run(words + ["--help", "--json"]).output == help.output)
  }

  // MARK: Accounts

  @Test(arguments: [
    "a·b", "", ".a", "a/b", "a\u{7F}", "a\u{1F}", String(repeating: "x", count: 200),
    String(repeating: "é", count: 100),
  ])
  func accountIsNotTheNameOfAFile(_ account: String) async {
    for command in ["status", "revoke"] {
      await expect(
        (
          "\(command) --account=\(account)", "",
          "An account's name is 1 to 199 bytes without spaces and slashes, and does not begin with a dot."
        ), of: CommandHarness())
    }
  }

  @Test(arguments: ["a", "a.", "-", "!", "é", "\u{80}", String(repeating: "x", count: 199)])
  func accountIsTheNameOfAFile(_ account: String) async {
    #expect(await CommandHarness().run("status", "--account=\(account)").status == .success)
  }

  // MARK: Numbers, days and times

  @Test(
    arguments: [
      ("agenda --days 0", "agenda", "--days is a number from 1 to 366."),
      ("agenda --days 367", "agenda", "--days is a number from 1 to 366."),
      ("agenda --days week", "agenda", "--days is a number from 1 to 366."),
      ("events list --limit 0", "events list", "--limit is a number from 1 to 1000000."),
      ("events list --limit 1000001", "events list", "--limit is a number from 1 to 1000000."),
      ("events list --days 0", "events list", "--days is a number from 1 to 3660."),
      ("events list --days 3661", "events list", "--days is a number from 1 to 3660."),
      ("events list --to tomorrow --days 2", "events list", "--to and --days exclude each other."),
      ("events list --to yesterday", "events list", "The end is not after the start."),
      ("events list --from now --to now", "events list", "The end is not after the start."),
      (
        "events list --from soon", "events list",
        "--from is a day or a time: 2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\" or now."
      ),
      (
        "events list --to soon", "events list",
        "--to is a day or a time: 2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\" or now."
      ),
      (
        "events list --zone Mars/Olympus", "events list",
        "--zone is a time zone that this computer does not know: write Europe/Berlin, say."
      ),
      (
        "events list --calendar mars", "events list",
        "This computer does not know the calendar's time zone: name one with --zone."
      ),
      ("free --at-least 1h", "free", "--at-least and --hours need --slots."),
      ("free --hours 9:00-17:00", "free", "--at-least and --hours need --slots."),
      ("free --slots --at-least long", "free", "--at-least is a duration: 90m, 1h30m or 2d."),
      ("free --slots --hours 9:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 9:00-9:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 9:00-8:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 1:00-2:00-3:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 24:00-24:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 1:00-25:00", "free", "--hours is two times of a day, such as 9:00-17:00."),
    ] as [Row])
  func spanIsNotUnderstood(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    api.on("GET calendars/mars/events", #"{"timeZone": "Mars/Olympus", "items": []}"#)
    await expect(row, of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  // MARK: Changes

  private static let times = "2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\" or now"

  /// After `events add --yes`.
  private static let additions: [(options: String, message: String)] = [
    ("", "--start is missing."), ("--title Tea", "--start is missing."), ("--end tomorrow", "--start is missing."),
    ("--duration 1h", "--start is missing."), ("--start soon", "--start is a day or a time: \(times)."),
    ("--start tomorrow --end soon", "--end is a day or a time: \(times)."),
    ("--start tomorrow --duration long", "--duration is a duration: 90m, 1h30m or 2d."),
    ("--start tomorrow --end tomorrow --duration 1d", "--end and --duration exclude each other."),
    ("--start tomorrow --end today", "The end is not after the start."),
    ("--start 9:00 --end 9:00", "The end is not after the start."),
    ("--start tomorrow --duration 90m", "--duration of an all-day event is in days: 2d."),
    ("--start tomorrow --end 9:00", "--start and --end are both days, or both times."),
    ("--start 9:00 --end tomorrow", "--start and --end are both days, or both times."),
    ("--start tomorrow --show-as x", "--show-as is busy or free."),
    ("--start tomorrow --guest bo", "--guest is an e-mail address."),
    (
      "--start tomorrow --remind soon",
      "--remind is a duration before the start, 90m, 1h30m or 2d or email:1h; or none or default."
    ),
    (
      "--start tomorrow --remind none --remind 1h",
      "--remind is a duration before the start, 90m, 1h30m or 2d or email:1h; or none or default."
    ),
    ("--start tomorrow --send-updates some", "--send-updates is all, external or none."),
    ("--start tomorrow --data /nowhere", "The file for --data cannot be read."),
  ]

  @Test(arguments: additions.indices) func eventIsNotUnderstood(_ index: Int) async throws {
    let (options, message) = Self.additions[index]
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    await expect(("events add --yes \(options)", "events add", message), of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  @Test(
    arguments: [
      ("events edit e1 --yes --clear colour", "events edit", "--clear is a field's name in the API, such as location."),
      ("events move e1 --yes", "events move", "--to is missing: the calendar that the event is moved to."),
      ("events delete e1 --yes --dry-run", "events delete", "--yes and --dry-run exclude each other."),
      (
        "events delete e1", "events delete",
        "There is no terminal to ask at, so nothing was changed. Look at the change with --dry-run, make it with --yes."
      ),
      ("calendars add --description d --yes", "calendars add", "--title is missing."),
      ("calendars add --yes", "calendars add", "Nothing is named that is to be set."),
      ("calendars edit work --yes", "calendars edit", "Nothing is named that is to be set."),
      ("calendars customize work --hidden maybe --yes", "calendars customize", "--hidden is yes or no."),
      ("calendars subscribe work --selected 1 --yes", "calendars subscribe", "--selected is yes or no."),
      ("acl add --role reader --yes", "acl add", "Name one of --user, --group, --domain and --public."),
      (
        "acl add --user a@x.org --group g@x.org --role reader --yes", "acl add",
        "Name one of --user, --group, --domain and --public."
      ),
      ("acl add --user a@x.org --yes", "acl add", "--role is one of free-busy, none, owner, reader, writer."),
      ("acl edit r --role king --yes", "acl edit", "--role is one of free-busy, none, owner, reader, writer."),
      ("acl edit r --role owner --send-updates external --yes", "acl edit", "--send-updates is all or none."),
    ] as [Row])
  func changeIsNotUnderstood(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    for path in ["calendars/primary/events/e1", "users/me/calendarList/work", "calendars/work"] {
      api.on("GET \(path)", #"{"id": "e1", "summary": "Tea"}"#)
    }
    await expect(row, of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: [
    "events add", "events edit e1", "calendars add", "calendars edit work", "calendars subscribe work",
    "calendars customize work",
  ])
  func dataIsAnObject(_ command: String) async throws {
    let api = ScriptedCalendarAPI()
    for data in ["", "[]", "7", "{", #"{"a":1,"a":2}"#] {
      await expect(
        (
          "\(command) --yes --data -", command.split(separator: " ").prefix(2).joined(separator: " "),
          "What --data names is not a JSON object."
        ),
        of: try await CommandHarness.signedIn(to: api), console: ScriptedConsole { _ in data })
    }
    #expect(api.writes.isEmpty)
  }

  // MARK: Calls

  @Test(
    arguments: [
      ("call GET a --query x", "call", "A parameter is written NAME=VALUE."),
      ("call POST a --form x", "call", "A parameter is written NAME=VALUE."),
      ("call POST a --form a=b --data -", "call", "--form and --data exclude each other."),
      ("call POST a --data /nowhere", "call", "The file for --data cannot be read."),
      (
        "call GET a --origin http://api.example", "call",
        "--origin must be an https URL; plain http is for loopback only."
      ),
      ("call GET a --origin api.example", "call", "--origin must be an https URL; plain http is for loopback only."),
      ("call GET https://other.example/", "call", "The token is not sent to this URL unless --origin names it."),
    ] as [Row])
  func callIsNotUnderstood(_ row: Row) async throws {
    await expect(row, of: try await CommandHarness.signedIn(to: ScriptedCalendarAPI()))
  }

  // MARK: Servers and clients

  private static let oneOf =
    "--provider is one of discord, dropbox, facebook, github, gitlab, google, linkedin, meetup, microsoft, slack, spotify, "
    + "twitch, zoom."

  @Test(
    arguments: [
      ("sign-in --client-id c --device --no-browser", "sign-in", "--device and --no-browser exclude each other."),
      ("sign-in --client-id ∅", "sign-in", "--client-id must not be empty."),
      ("sign-in --client-id ·", "sign-in", "--client-id must not be empty."),
      ("sign-in --client-id c --redirect-port 65536", "sign-in", "--redirect-port is a number from 0 to 65535."),
      ("sign-in --client-id c --redirect-port -1", "sign-in", "--redirect-port is a number from 0 to 65535."),
      ("sign-in --client-id c --provider microsoft", "", "microsoft needs --tenant."),
      ("sign-in --client-id c --provider github --tenant t", "", "--tenant is for microsoft only."),
      ("sign-in --client-id c --tenant t", "", "--tenant is for microsoft only."),
      ("sign-in --client-id c --provider nobody", "", oneOf),
      (
        "sign-in --client-id c --issuer https://a.example --provider github", "",
        "--issuer stands alone. Leave out --provider, --provider-url and --tenant."
      ),
      (
        "sign-in --client-id c --issuer https://a.example --tenant t", "",
        "--issuer stands alone. Leave out --provider, --provider-url and --tenant."
      ),
      (
        "sign-in --client-id c --issuer https://a.example --provider-url https://b.example", "",
        "--issuer stands alone. Leave out --provider, --provider-url and --tenant."
      ),
      (
        "sign-in --client-id c --provider gitlab --provider-url http://a.example", "",
        "--provider-url must be an https URL; plain http is for loopback only."
      ),
      (
        "sign-in --client-id c --provider gitlab --api-url https://a.example?b", "",
        "--api-url must be an https URL; plain http is for loopback only."
      ),
      (
        "sign-in --resource https://a.example/ --api-url https://a.example", "sign-in",
        "--resource stands alone: its server is found."
      ),
      (
        "sign-in --resource https://a.example/ --provider github", "sign-in",
        "--resource stands alone: its server is found."
      ),
      (
        "sign-in --resource http://a.example/", "sign-in",
        "--resource must be an https URL; plain http is for loopback only."
      ),
      (
        "sign-in --resource https://a.example/#b", "sign-in",
        "--resource must be an https URL; plain http is for loopback only."
      ),
      (
        "sign-in --resource https://a.example/ --client-id c", "sign-in",
        "A client for --resource belongs to a server: name the server that knows it with --issuer."
      ),
      (
        "sign-in --resource https://a.example/ --client-key-file f", "sign-in",
        "A client for --resource belongs to a server: name the server that knows it with --issuer."
      ),
      (
        "sign-in --resource https://a.example/ --issuer https://b.example", "sign-in",
        "--issuer with --resource is the server of a client that is registered there: name it with --client-id."
      ),
      ("demo --web --all", "demo", "--web and --all exclude each other."),
      ("demo --web --port 65536", "demo", "--port is a number from 0 to 65535."),
      ("sandbox --port x", "sandbox", "--port is a number from 0 to 65535."),
      ("sandbox --quota 0", "sandbox", "--quota is a number from 1 to 1000000."),
      ("sandbox --quota 1000001", "sandbox", "--quota is a number from 1 to 1000000."),
    ] as [Row])
  func serverOrClientIsNotUnderstood(_ row: Row) async {
    let harness = CommandHarness(transport: { _ in
      RefusingTransport()
    })
    await expect(row, of: harness)
    #expect(!FileManager.default.fileExists(atPath: harness.home), "nothing is kept")
  }

  @Test func commandWithoutAClientSaysWhereToGetOne() async throws {
    let advice =
      "Register one with the provider (for Google a desktop client in the Cloud console) and give its identifier with "
      + "\"almanac sign-in --client-id ID\", or look around with \"almanac demo\"."
    let harness = CommandHarness()
    await expect(
      ("profile", "profile", "No client is known for account \"default\". \(advice)"), of: harness)
    // The command has signed one account in; the others are records of programs that use the same folder.
    #expect(await harness.run(CommandHarness.signIn(scope: "openid") + ["--account", "home"]).status == .success)
    for account in ["work", "other", "other program", "home program"] {
      try await harness.storage.withExclusiveAccess(to: account) {
        try await $0.write(StoredToken(accessToken: Secret("t")))
      }
    }
    await expect(
      (
        "profile --account work", "profile",
        "No client is known for account \"work\". Tokens are stored for: home (choose with --account). \(advice)"
      ), of: harness)
  }
}

/// A transport for calls that must be refused before anything is sent.
private struct RefusingTransport: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    Issue.record("\(request) is sent")
    return HTTPResponse(status: 500)
  }
}
