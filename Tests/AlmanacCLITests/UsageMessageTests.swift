// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// The exact messages for invalid arguments.
///
/// No request changes anything, and standard output is empty.
@Suite(.takesTurns) struct UsageMessageTests {
  /// The arguments, the command whose help the message names, and the message.
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
    let help = row.command.isEmpty ? "`almanac --help`" : "`almanac \(row.command) --help`"
    #expect(result.errors == "almanac: \(row.message) See \(help).\n", sourceLocation: location)
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty, sourceLocation: location)
    // With --json, the message is the same, with a code.
    guard !arguments.contains("--"), !row.message.hasSuffix("needs a value.") else { return }
    let json = await harness.run(arguments + ["--json"], console: console)
    #expect(json.status == AlmanacCLI.ExitStatus.usage && json.output.isEmpty, sourceLocation: location)
    #expect(json.error?["message"]?.string == "\(row.message) See \(help).", sourceLocation: location)
    #expect(json.error?["code"] == "usage" && json.error?["exitStatus"] == 2, sourceLocation: location)
  }

  // MARK: Words

  private static let unknown = """
    Unknown command. The commands are demo, sandbox, sign-in, whoami, accounts, token, status, revoke, agenda, events, \
    calendars, acl, free, colors, settings, profile, call, discover, credentials, tokens, completion, manual.
    """

  @Test(
    arguments: [
      ("nonsense", "", unknown),
      ("events", "", "`events` is followed by one of list, get, add, quick-add, edit, move, delete."),
      ("events nonsense", "", "`events` is followed by one of list, get, add, quick-add, edit, move, delete."),
      ("acl", "", "`acl` is followed by one of list, add, edit, delete."),
      ("calendars nonsense", "calendars", "Too many arguments."),
      ("status -", "status", "Too many arguments."), ("status -- --json", "status", "Too many arguments."),
      ("call", "call", "Missing: METHOD, URL."), ("call GET", "call", "Missing: URL."),
      ("call GET a b", "call", "Too many arguments."), ("settings a b", "settings", "Too many arguments."),
      ("events get", "events get", "Missing: ID."), ("events quick-add", "events quick-add", "Missing: TEXT."),
      ("status --nonsense", "status", "Unknown option `--nonsense`."),
      ("status --nonsense=s3cret", "status", "Unknown option `--nonsense`."),
      ("status -s3cret", "status", "Unknown option `-s`."), ("status --", "", ""),
      ("status --account a --account b", "status", "--account is given twice."),
      ("status --account=a --account=b", "status", "--account is given twice."),
      ("accounts --color always --color never", "accounts", "--color is given twice."),
      ("token --reveal --reveal", "token", "--reveal is given twice."),
      ("token --reveal=yes", "token", "--reveal takes no value."),
      ("token --reveal=", "token", "--reveal takes no value."),
      ("status --account", "status", "--account needs a value."), ("agenda --days", "agenda", "--days needs a value."),
      ("status --color sometimes", "", "--color must be auto, always or never."),
    ].filter { !$0.2.isEmpty } as [Row])
  func invalidArgumentIsExplained(_ row: Row) async { await expect(row, of: CommandHarness()) }

  @Test(
    arguments: [
      ("evnts", "", "Unknown command `evnts`. Did you mean `events`?"),
      ("evnets list", "", "Unknown command `evnets`. Did you mean `events`?"),
      ("EVENTS", "", "Unknown command `EVENTS`. Did you mean `events`?"),
      ("xvxnts", "", "Unknown command `xvxnts`. Did you mean `events`?"), ("xvxxts", "", unknown),
      ("sigin", "", "Unknown command `sigin`. Did you mean `sign-in`?"), ("--", "", unknown),
      ("cal", "", "Unknown command `cal`. Did you mean `call`?"),
      ("act", "", "Unknown command `act`. Did you mean `acl`?"), ("axt", "", unknown),
      ("signin", "", "Unknown command `signin`. Did you mean `sign-in`?"),
      ("login", "", "Unknown command `login`. Did you mean `sign-in`?"),
      ("help evnts", "", "Unknown command `evnts`. Did you mean `events`?"),
      ("--jsn calendars", "", "Options stand after the command, as in `almanac COMMAND --json`."),
      ("calendars --jsn", "calendars", "Unknown option `--jsn`. Did you mean `--json`?"),
      ("--hlep", "", "Unknown command `--hlep`. Did you mean `--help`?"),
      ("events lsit", "", "Unknown command `events lsit`. Did you mean `events list`?"),
      ("events lxxt", "", "`events` is followed by one of list, get, add, quick-add, edit, move, delete."),
      ("calendars ad", "", "Unknown command `calendars ad`. Did you mean `calendars add`?"),
      ("events list --calender work", "events list", "Unknown option `--calender`. Did you mean `--calendar`?"),
      ("events list --JSON", "events list", "Unknown option `--JSON`. Did you mean `--json`?"),
      ("status --acount=s3cret", "status", "Unknown option `--acount`. Did you mean `--account`?"),
      ("status -acount", "status", "Unknown option `-a`. Did you mean `--account`?"),
    ] as [Row])
  func misspelledNameLeadsToTheNearest(_ row: Row) async { await expect(row, of: CommandHarness()) }

  @Test func programWithoutArgumentsWritesItsHelpToStandardError() async {
    let result = await CommandHarness().run()
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty)
    let help = await CommandHarness().run("--help")
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(
      help.output == result.errors && help.output.hasPrefix("OAuth 2.0 and Google Calendar at the command line.\n"))
    for word in ["-h", "help"] { #expect(await CommandHarness().run(word).output == help.output) }
  }

  @Test(arguments: ["events", "acl"]) func helpListsTheGroupsCommands(_ group: String) async {
    let harness = CommandHarness()
    let help = await harness.run(group, "--help")
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(help.output.contains("\nUsage: almanac \(group) COMMAND [OPTION]...\n\nCommands:\n  \(group) list "))
    #expect(help.output.hasSuffix("\nFor details, use `almanac \(group) COMMAND --help`.\n"))
    #expect(await harness.run(group, "-h").output == help.output)
    #expect(await harness.run(group, "--help", "more").status == .usage)
    #expect(await harness.run(group, "--verbose").status == .usage)
  }

  @Test(arguments: Command.all.map(\.name)) func helpListsTheCommandsOptions(_ name: String) async {
    let harness = CommandHarness()
    let words = name.split(separator: " ").map(String.init)
    let help = await harness.run(words + ["--help"])
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(help.output.contains("\n\nUsage: almanac \(name) [OPTION]..."))
    #expect(help.output.contains("Usage: almanac acl edit [OPTION]... --role ROLE ID\n") == (name == "acl edit"))
    for option in ["json", "color WHEN", "help"] { #expect(help.output.contains("\n  --\(option) ")) }
    #expect(help.output.contains("\nCommands:\n") == ["calendars"].contains(name))
    for other in [words + ["-h"], ["help"] + words, ["--help"] + words] {
      #expect(await harness.run(other).output == help.output)
    }
    // The command's own options come first.
    if let own = help.output.range(of: "\nOptions:\n"),
      let server = help.output.range(of: "\nAccount, client and server:\n")
    {
      #expect(own.lowerBound < server.lowerBound)
    }
    // Other options and missing arguments are ignored.
    #expect(await harness.run(words + ["--help", "--json"]).output == help.output)
  }

  // MARK: Accounts

  @Test(arguments: [
    "a·b", "", ".a", "a/b", "a\u{7F}", "a\u{1F}", String(repeating: "x", count: 200),
    String(repeating: "é", count: 100),
  ])
  func accountNameIsNotAFileName(_ account: String) async {
    for command in ["status", "revoke"] {
      await expect(
        (
          "\(command) --account=\(account)", "",
          "An account's name must be 1 to 199 bytes, without spaces, slashes or a dot at its start."
        ), of: CommandHarness())
    }
  }

  @Test(arguments: ["a", "a.", "-", "!", "é", "\u{80}", String(repeating: "x", count: 199)])
  func accountNameIsAFileName(_ account: String) async {
    #expect(await CommandHarness().run("status", "--account=\(account)").status == .success)
  }

  // MARK: Numbers, days and times

  @Test(
    arguments: [
      ("agenda --days 0", "agenda", "--days must be a number from 1 to 366."),
      ("agenda --days 367", "agenda", "--days must be a number from 1 to 366."),
      ("agenda --days week", "agenda", "--days must be a number from 1 to 366."),
      ("events list --limit 0", "events list", "--limit must be a number from 1 to 1000000."),
      ("events list --limit 1000001", "events list", "--limit must be a number from 1 to 1000000."),
      ("events list --days 0", "events list", "--days must be a number from 1 to 3660."),
      ("events list --days 3661", "events list", "--days must be a number from 1 to 3660."),
      ("events list --to tomorrow --days 2", "events list", "--to and --days exclude each other."),
      ("events list --to yesterday", "events list", "The end must be after the start."),
      ("events list --from now --to now", "events list", "The end must be after the start."),
      (
        "events list --from soon", "events list",
        "--from must be a day or a time: 2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\", \"friday 3pm\", \"in 2 hours\" or now."
      ),
      (
        "events list --to soon", "events list",
        "--to must be a day or a time: 2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\", \"friday 3pm\", \"in 2 hours\" or now."
      ),
      (
        "events list --zone Mars/Olympus", "events list",
        "This computer does not know the time zone in --zone. Use a name such as Europe/Berlin."
      ),
      (
        "events list --calendar mars", "events list",
        "This computer does not know the calendar's time zone. Name another with --zone."
      ),
      ("free --at-least 1h", "free", "--at-least and --hours need --slots."),
      ("free --hours 9:00-17:00", "free", "--at-least and --hours need --slots."),
      ("free --slots --at-least long", "free", "--at-least must be a duration: 90m, 1h30m or 2d."),
      ("free --slots --hours 9:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 9:00-9:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 9:00-8:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 1:00-2:00-3:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 24:00-24:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
      ("free --slots --hours 1:00-25:00", "free", "--hours must be two times of a day, such as 9:00-17:00."),
    ] as [Row])
  func invalidSpanIsExplained(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    api.on("GET calendars/mars/events", #"{"timeZone": "Mars/Olympus", "items": []}"#)
    await expect(row, of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  // MARK: Changes

  private static let times =
    "2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\", \"friday 3pm\", \"in 2 hours\" or now"

  /// The options after `events add --yes`, and the message.
  private static let additions: [(options: String, message: String)] = [
    ("", "Missing: --start or --data."), ("--title Tea", "Missing: --start or --data."),
    ("--end tomorrow", "Missing: --start or --data."), ("--duration 1h", "Missing: --start or --data."),
    ("--start soon", "--start must be a day or a time: \(times)."),
    ("--start tomorrow --end soon", "--end must be a day or a time: \(times)."),
    ("--start tomorrow --duration long", "--duration must be a duration: 90m, 1h30m or 2d."),
    ("--start tomorrow --end tomorrow --duration 1d", "--end and --duration exclude each other."),
    ("--start tomorrow --end today", "The end must be after the start."),
    ("--start 9:00 --end 9:00", "The end must be after the start."),
    ("--start tomorrow --duration 90m", "--duration of an all-day event must be in days, such as 2d."),
    ("--start tomorrow --end 9:00", "--start and --end must both be days, or both be times."),
    ("--start 9:00 --end tomorrow", "--start and --end must both be days, or both be times."),
    ("--start tomorrow --show-as x", "--show-as must be busy or free."),
    ("--start tomorrow --guest bo", "--guest must be an e-mail address."),
    (
      "--start tomorrow --remind soon",
      "--remind must be a duration before the start (90m, 1h30m or 2d), email:1h, none or default."
    ),
    (
      "--start tomorrow --remind none --remind 1h",
      "--remind must be a duration before the start (90m, 1h30m or 2d), email:1h, none or default."
    ),
    ("--start tomorrow --send-updates some", "--send-updates must be all, external or none."),
    ("--start tomorrow --data /nowhere", "The file for --data cannot be read."),
  ]

  @Test(arguments: additions.indices) func invalidEventIsExplained(_ index: Int) async throws {
    let (options, message) = Self.additions[index]
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    await expect(("events add --yes \(options)", "events add", message), of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  @Test(
    arguments: [
      (
        "events edit e1 --yes --clear colour", "events edit",
        "--clear must be a field's name in the API, such as location."
      ),
      ("events move e1 --yes", "events move", "Missing: --to."),
      ("events delete e1 --yes --dry-run", "events delete", "--yes and --dry-run exclude each other."),
      (
        "events delete e1", "events delete",
        "There is no terminal for the confirmation. Nothing was changed. Preview the change with --dry-run, or make it with --yes."
      ),
      ("calendars add --description d --yes", "calendars add", "Missing: --title or --data."),
      ("calendars add --yes", "calendars add", "Missing: --title or --data."),
      (
        "calendars edit work --yes", "calendars edit",
        "No field to set. Give at least one of --title, --description, --location, --zone and --data."
      ),
      ("calendars customize work --hidden maybe --yes", "calendars customize", "--hidden must be yes or no."),
      ("calendars subscribe work --selected 1 --yes", "calendars subscribe", "--selected must be yes or no."),
      ("acl add --role reader --yes", "acl add", "Missing: --user or --group or --domain or --public."),
      (
        "acl add --user a@x.org --group g@x.org --role reader --yes", "acl add",
        "Give only one of --user, --group, --domain and --public."
      ),
      ("acl add --user a@x.org --yes", "acl add", "Missing: --role."),
      ("acl add --yes", "acl add", "Missing: --user or --group or --domain or --public, --role."),
      ("acl edit r --role king --yes", "acl edit", "--role must be one of free-busy, none, owner, reader, writer."),
      ("acl edit r --role owner --send-updates external --yes", "acl edit", "--send-updates must be all or none."),
    ] as [Row])
  func invalidChangeIsExplained(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    for path in ["calendars/primary/events/e1", "users/me/calendarList/work", "calendars/work"] {
      api.on("GET \(path)", #"{"id": "e1", "summary": "Tea"}"#)
    }
    await expect(row, of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  @Test(
    arguments: [
      ("events add", "events add", "Missing: --start or --data."), ("events move", "events move", "Missing: --to, ID."),
      ("events add --title Tea --ask-client-secret", "events add", "Missing: --start or --data."),
      ("calendars add", "calendars add", "Missing: --title or --data."),
      ("acl add", "acl add", "Missing: --user or --group or --domain or --public, --role."),
      ("acl edit", "acl edit", "Missing: --role, ID."), ("acl edit r", "acl edit", "Missing: --role."),
    ] as [Row])
  func missingArgumentsAreNamedBeforeAnyQuestion(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    let console = ScriptedConsole(canAsk: true) { question in
      Issue.record("\(question)")
      return nil
    }
    await expect(row, of: try await CommandHarness.signedIn(to: api), console: console)
    #expect(api.requests.isEmpty)
  }

  @Test(arguments: [
    (
      "events add", #"{"summary": "Tea", "start": {"date": "2026-11-23"}}"#,
      "The event has no start or no end. Give --start, or both in --data."
    ), ("calendars add", #"{"location": "Rome"}"#, "The calendar has no title. Give --title, or summary in --data."),
  ])
  func dataHasWhatTheOptionsLack(_ command: String, _ data: String, _ message: String) async throws {
    let api = ScriptedCalendarAPI()
    await expect(
      ("\(command) --yes --data -", command, message), of: try await CommandHarness.signedIn(to: api),
      console: ScriptedConsole { _ in data })
    #expect(api.requests.isEmpty)
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
          "The file for --data must contain a JSON object."
        ),
        of: try await CommandHarness.signedIn(to: api), console: ScriptedConsole { _ in data })
    }
    #expect(api.writes.isEmpty)
  }

  // MARK: Calls

  @Test(
    arguments: [
      ("call GET a --query x", "call", "--query must have the form NAME=VALUE."),
      ("call POST a --form x", "call", "--form must have the form NAME=VALUE."),
      ("call POST a --form a=b --data -", "call", "--form and --data exclude each other."),
      ("call POST a --data /nowhere", "call", "The file for --data cannot be read."),
      (
        "call GET a --origin http://api.example", "call",
        "--origin must be an https URL; plain http is for loopback only."
      ),
      ("call GET a --origin api.example", "call", "--origin must be an https URL; plain http is for loopback only."),
      (
        "call GET https://other.example/", "call",
        "The token is not sent to this origin. To allow it, name it with --origin."
      ),
    ] as [Row])
  func invalidCallIsExplained(_ row: Row) async throws {
    await expect(row, of: try await CommandHarness.signedIn(to: ScriptedCalendarAPI()))
  }

  // MARK: Servers and clients

  private static let oneOf =
    "--provider must be one of discord, dropbox, facebook, github, gitlab, google, linkedin, meetup, microsoft, slack, spotify, "
    + "twitch, zoom."

  @Test(
    arguments: [
      ("sign-in --client-id c --device --no-browser", "sign-in", "--device and --no-browser exclude each other."),
      ("sign-in --client-id ∅", "sign-in", "--client-id must not be empty."),
      ("sign-in --client-id ·", "sign-in", "--client-id must not be empty."),
      ("sign-in --client-id c --redirect-port 65536", "sign-in", "--redirect-port must be a number from 0 to 65535."),
      ("sign-in --client-id c --redirect-port -1", "sign-in", "--redirect-port must be a number from 0 to 65535."),
      ("sign-in --client-id c --provider microsoft", "", "--provider microsoft needs --tenant."),
      ("sign-in --client-id c --provider github --tenant t", "", "--tenant is for --provider microsoft only."),
      ("sign-in --client-id c --tenant t", "", "--tenant is for --provider microsoft only."),
      ("sign-in --client-id c --provider nobody", "", oneOf),
      (
        "sign-in --client-id c --issuer https://a.example --provider github", "",
        "--issuer names the server. Leave out --provider, --provider-url and --tenant."
      ),
      (
        "sign-in --client-id c --issuer https://a.example --tenant t", "",
        "--issuer names the server. Leave out --provider, --provider-url and --tenant."
      ),
      (
        "sign-in --client-id c --issuer https://a.example --provider-url https://b.example", "",
        "--issuer names the server. Leave out --provider, --provider-url and --tenant."
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
        "--resource finds the server. Leave out --provider, --provider-url, --tenant and --api-url."
      ),
      (
        "sign-in --resource https://a.example/ --provider github", "sign-in",
        "--resource finds the server. Leave out --provider, --provider-url, --tenant and --api-url."
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
        "With --resource, a client needs its server. Name the server with --issuer."
      ),
      (
        "sign-in --resource https://a.example/ --client-key-file f", "sign-in",
        "With --resource, a client needs its server. Name the server with --issuer."
      ),
      (
        "sign-in --resource https://a.example/ --issuer https://b.example", "sign-in",
        "With --resource, --issuer needs a client that is registered there. Name the client with --client-id."
      ),
      ("demo --web --all", "demo", "--web and --all exclude each other."),
      ("demo --web --port 65536", "demo", "--port must be a number from 0 to 65535."),
      ("sandbox --port x", "sandbox", "--port must be a number from 0 to 65535."),
      ("sandbox --quota 0", "sandbox", "--quota must be a number from 1 to 1000000."),
      ("sandbox --quota 1000001", "sandbox", "--quota must be a number from 1 to 1000000."),
    ] as [Row])
  func invalidServerOrClientIsExplained(_ row: Row) async {
    let harness = CommandHarness(transport: { _ in
      RefusingTransport()
    })
    await expect(row, of: harness)
    #expect(!FileManager.default.fileExists(atPath: harness.home), "nothing is stored")
  }

  @Test func commandWithoutAClientSaysWhereToGetOne() async throws {
    let advice =
      "Register one with the provider (for Google, a desktop client in the Cloud console), then run "
      + "`almanac sign-in --client-id ID`. To try without an account, run `almanac demo`."
    let harness = CommandHarness()
    let said = { (arguments: String...) in await harness.run(arguments).errors }
    #expect(await said("profile") == "almanac: No client is known for account \"default\". \(advice)\n")
    await expect(("sign-in", "sign-in", "No client is known for account \"default\". \(advice)"), of: harness)
    // The command signed in one account. The other records belong to programs that use the same folder.
    #expect(await harness.run(CommandHarness.signIn(scope: "openid") + ["--account", "home"]).status == .success)
    for account in ["work", "other", "other program", "home program"] {
      try await harness.storage.withExclusiveAccess(to: account) {
        try await $0.write(StoredToken(accessToken: Secret("t")))
      }
    }
    #expect(
      await said("profile", "--account", "work")
        == "almanac: No client is known for account \"work\". Tokens are stored for: home (choose with --account). \(advice)\n"
    )
  }
}

/// A transport that must not be used.
private struct RefusingTransport: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    Issue.record("\(request) is sent")
    return HTTPResponse(status: 500)
  }
}
