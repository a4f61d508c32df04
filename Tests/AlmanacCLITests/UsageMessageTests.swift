// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// Invalid arguments: each message names what is wrong and the help, and no request is sent.
@Suite(.takesTurns) struct UsageMessageTests {
  /// The arguments, the command whose help the message names, and a part of the message.
  ///
  /// `·` stands for a space within an argument, and `∅` for an empty one. Values named `s3cret` are not shown.
  typealias Row = (arguments: String, command: String, part: String)

  /// Returns a row for each of the options that lead to the same message.
  private static func rows(_ start: String, _ command: String, _ options: [String], _ part: String) -> [Row] {
    options.map { ("\(start) \($0)", command, part) }
  }

  private func expect(_ row: Row, of harness: CommandHarness, data: String? = nil) async {
    let arguments = row.arguments.split(separator: " ").map {
      String($0).replacing("·", with: " ").replacing("∅", with: "")
    }
    let console = ScriptedConsole { _ in data }
    let result = await harness.run(arguments, console: console)
    let help = row.command.isEmpty ? "`almanac --help`" : "`almanac \(row.command) --help`"
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty, "\(row)")
    #expect(result.errors.contains(row.part) && result.errors.hasSuffix(" See \(help).\n"), "\(row): \(result.errors)")
    #expect(!result.errors.contains("s3cret"), "\(row)")
    // With --json, the message has a code.
    guard !arguments.contains("--"), !row.part.hasSuffix("needs a value") else { return }
    let json = await harness.run(arguments + ["--json"], console: console)
    #expect(json.status == AlmanacCLI.ExitStatus.usage && json.output.isEmpty, "\(row)")
    #expect(json.error?["code"] == "usage" && json.error?["exitStatus"] == 2, "\(row)")
    #expect(json.error?["message"]?.string.map { "almanac: \($0)\n" } == result.errors, "\(row)")
  }

  @Test(
    arguments: [
      ("nonsense", "", "The commands are demo, sandbox, "), ("--", "", "The commands are "),
      ("events", "", "list, get, add, quick-add"), ("events nonsense", "", "list, get, add, quick-add"),
      ("acl", "", "list, add, edit, delete"), ("calendars nonsense", "calendars", "Too many"),
      ("profile s3cret", "profile", "Too many"), ("status -", "status", "Too many"),
      ("status -- --json", "status", "Too many"), ("call GET a b", "call", "Too many"),
      ("call", "call", "METHOD, URL"), ("call GET", "call", "URL"), ("events get", "events get", "ID"),
      ("events quick-add", "events quick-add", "TEXT"), ("status --nonsense=s3cret", "status", "`--nonsense`"),
      ("status -s3cret", "status", "`-s`"), ("status ---json", "status", "`---json`"),
      // A secret is never an argument.
      ("sign-in --client-secret s3cret", "sign-in", "`--client-secret`"),
      ("status --account=a --account s3cret", "status", "--account occurs more than once. Keep one"),
      ("token --reveal --reveal", "token", "--reveal occurs more than once. Keep one"),
      ("token --reveal=s3cret", "token", "--reveal takes no value"),
      ("token --reveal=", "token", "--reveal takes no value"),
      ("status --account", "status", "--account needs a value"), ("agenda --days", "agenda", "--days needs a value"),
      ("status --storage s3cret", "status", "--storage must be file, keyring or postgresql. See"),
      ("status --storage postgres", "status", "postgresql. Did you mean `postgresql`?"),
      ("tokens migrate --from file", "tokens migrate", "--to"),
      ("tokens migrate --from file --to file", "tokens migrate", "the same storage"),
      ("tokens migrate-schema --storage file", "tokens migrate-schema", "--storage postgresql"),
      ("status --color s3cret", "", "--color"), ("completion csh", "completion", "bash, zsh, fish"),
      // Options that the command would ignore.
      ("demo --account=a", "demo", "`--account`"), ("sandbox --account=a", "sandbox", "`--account`"),
      ("demo --verbose", "demo", "`--verbose`"), ("status --verbose", "status", "`--verbose`"),
      // Misspelled names.
      ("evnts", "", "`evnts`. Did you mean `events`?"), ("evnets list", "", "`events`?"), ("EVENTS", "", "`events`?"),
      ("xvxnts", "", "`events`?"), ("xvxxts", "", "The commands are "), ("axt", "", "The commands are "),
      ("cal", "", "`call`?"), ("act", "", "`acl`?"), ("sigin", "", "`sign-in`?"), ("signin", "", "`sign-in`?"),
      ("login", "", "`sign-in`?"), ("help evnts", "", "`events`?"), ("--hlep", "", "`--help`?"),
      ("--jsn calendars", "", "after the command"), ("events lsit", "", "`events list`?"),
      ("events lxxt", "", "list, get, add, quick-add"), ("calendars ad", "", "`calendars add`?"),
      ("calendars --jsn", "calendars", "`--json`?"), ("events list --JSON", "events list", "`--json`?"),
      ("events list --calender work", "events list", "`--calendar`?"),
      ("status --acount=s3cret", "status", "`--account`?"), ("status -acount", "status", "`--account`?"),
    ] as [Row])
  func invalidArgumentIsNamed(_ row: Row) async { await expect(row, of: CommandHarness()) }

  @Test func programWithoutArgumentsWritesItsHelpToStandardError() async {
    let result = await CommandHarness().run()
    #expect(result.status == AlmanacCLI.ExitStatus.usage && result.output.isEmpty)
    for word in ["--help", "-h", "help"] {
      let help = await CommandHarness().run(word)
      #expect(help.output == result.errors && help.status == .success && help.errors.isEmpty)
    }
    let names = Command.all.map { String($0.name.prefix { $0 != " " }) }
    let statuses = AlmanacCLI.ExitStatus.allCases.map { "\($0.rawValue)" }
    let variables = ["ALMANAC_CLIENT_ID", "ALMANAC_CLIENT_SECRET", "ALMANAC_ACCOUNT", "ALMANAC_STORAGE"]
    for line in names + statuses + variables { #expect(result.errors.contains("\n  \(line) "), "\(line)") }
  }

  @Test(arguments: ["events", "acl", "tokens"]) func helpListsTheGroupsCommands(_ group: String) async {
    let harness = CommandHarness()
    let help = await harness.run(group, "--help")
    for command in Command.all where command.name.hasPrefix("\(group) ") {
      #expect(help.output.contains("\n  \(command.name) "))
    }
    #expect(await harness.run(group, "-h").output == help.output && help.errors.isEmpty)
    #expect(await harness.run(group, "--help", "more").status == .usage)
    #expect(await harness.run(group, "--verbose").status == .usage)
  }

  @Test(arguments: Command.all.map(\.name)) func helpNamesEachOptionOnceAndFitsTheTerminal(_ name: String) async throws
  {
    let command = try #require(Command.all.first { $0.name == name })
    let harness = CommandHarness()
    let words = command.name.split(separator: " ").map(String.init)
    let help = await harness.run(words + ["--help"])
    #expect(help.status == .success && help.errors.isEmpty)
    #expect(help.output.contains("\n\nUsage: almanac \(command.name) [OPTION]..."))
    for option in command.optionNames + ["help"] {
      #expect(help.output.matches(of: try Regex("\n  --\(option) ")).count == 1, "\(option)")
    }
    for other in [words + ["-h"], ["help"] + words, ["--help"] + words, words + ["--help", "--json"]] {
      #expect(await harness.run(other).output == help.output)
    }
    let shown = await harness.run(words + ["--help"], console: ScriptedConsole(showsOutput: true, width: 80)).output
    #expect(shown.split(separator: "\n").allSatisfy { String($0).displayWidth <= 80 }, "\(shown)")
    // The command's own options come first.
    if let own = help.output.range(of: "\nOptions:\n"),
      let server = help.output.range(of: "\nAccount, client and server:\n")
    {
      #expect(own.lowerBound < server.lowerBound)
    }
  }

  // MARK: Accounts

  @Test(arguments: [
    "a·b", "", ".a", "a/b", "a\u{7F}", "a\u{1F}", String(repeating: "x", count: 200),
    String(repeating: "é", count: 100),
  ])
  func accountNameIsNotAFileName(_ account: String) async {
    await expect(("status --account=\(account)", "", "1 to 199 bytes"), of: CommandHarness())
  }

  @Test(arguments: ["a", "a.", "-", "!", "é", "\u{80}", String(repeating: "x", count: 199)])
  func accountNameIsAFileName(_ account: String) async {
    #expect(await CommandHarness().run("status", "--account=\(account)").status == .success)
  }

  // MARK: Events, calendars and calls

  private static let reading: [Row] = [
    ("agenda --days 0", "agenda", "--days must be a number from 1 to 366"),
    ("agenda --days 367", "agenda", "--days"), ("agenda --days week", "agenda", "--days"),
    ("events list --limit 0", "events list", "--limit must be a number from 1 to 1000000"),
    ("events list --limit 1000001", "events list", "--limit"),
    ("events list --days 3661", "events list", "--days must be a number from 1 to 3660"),
    ("events list --to tomorrow --days 2", "events list", "--to and --days cannot be combined. Omit one"),
    ("events list --to yesterday", "events list", "The end must be after the start"),
    ("events list --from now --to now", "events list", "The end must be after the start"),
    ("events list --from soon", "events list", "--from must be a day or a time"),
    ("events list --to soon", "events list", "--to must be a day or a time"),
    ("events list --zone Mars/Olympus", "events list", "--zone"),
    ("events list --calendar mars", "events list", "Name another with --zone"),
    ("settings a b", "settings", "Too many"),
    ("free --at-least 1h", "free", "need --slots"), ("free --hours 9:00-17:00", "free", "need --slots"),
    ("free --slots --at-least long", "free", "--at-least must be a duration"),
  ]
  private static let hours = rows(
    "free --slots --hours", "free",
    ["9:00", "9-17", "9:00-9:00", "9:00-8:00", "1:00-2:00-3:00", "24:00-24:00", "1:00-25:00"],
    "--hours must be two times of a day")
  private static let adding: [Row] =
    ([
      ("--title Tea --end tomorrow --duration 1h", "Missing: --start or --data"),
      ("--start soon", "--start must be a day or a time"),
      ("--start tomorrow --end soon", "--end must be a day or a time"),
      ("--start tomorrow --duration long", "--duration must be a duration"),
      ("--start tomorrow --end tomorrow --duration 1d", "--end and --duration cannot be combined. Omit one"),
      ("--start tomorrow --end today", "The end must be after the start"),
      ("--start 9:00 --end 9:00", "The end must be after the start"),
      ("--start tomorrow --duration 90m", "--duration of an all-day event must be in days"),
      ("--start tomorrow --end 9:00", "must both be days"), ("--start 9:00 --end tomorrow", "must both be days"),
      ("--start tomorrow --show-as x", "--show-as must be busy or free"),
      ("--start tomorrow --guest bo", "--guest must be an e-mail address"),
      ("--start tomorrow --remind soon", "--remind must be"),
      ("--start tomorrow --remind fax:10m", "--remind must be"),
      ("--start tomorrow --remind none --remind 1h", "--remind must be"),
      ("--start tomorrow --repeat sometimes", "--repeat must be daily"),
      ("--start tomorrow --repeat FREQ=HOURLY", "HOURLY"), ("--start tomorrow --zone Mars/Olympus", "--zone"),
      ("--start tomorrow --send-updates some", "--send-updates must be all, external or none"),
      ("--start tomorrow --data /nowhere", "The file for --data cannot be read"),
    ] as [(String, String)]).map { ("events add --yes \($0)", "events add", $1) }
  private static let changing: [Row] = [
    ("events edit e1 --yes --clear colour", "events edit", "--clear must be a field's name"),
    ("events move e1 --yes", "events move", "Missing: --to"), ("events move", "events move", "Missing: --to, ID"),
    ("events delete e1 --yes --dry-run", "events delete", "--yes and --dry-run cannot be combined. Omit one"),
    ("events delete e1", "events delete", "or make it with --yes"),
    ("calendars add --description d --yes", "calendars add", "Missing: --title or --data"),
    ("calendars edit work --yes", "calendars edit", "--title, --description, --location, --zone and --data"),
    ("calendars customize work --hidden maybe --yes", "calendars customize", "--hidden must be yes or no"),
    ("calendars subscribe work --selected 1 --yes", "calendars subscribe", "--selected must be yes or no"),
    ("acl add --role reader --yes", "acl add", "Missing: --user or --group or --domain or --public"),
    (
      "acl add --user a@x.org --group g --role reader --yes", "acl add",
      "--user, --group, --domain and --public cannot be combined"
    ),
    ("acl add --yes", "acl add", "Missing: --user or --group or --domain or --public, --role"),
    ("acl edit r", "acl edit", "Missing: --role"), ("acl edit", "acl edit", "Missing: --role, ID"),
    ("acl edit r --role king --yes", "acl edit", "free-busy, none, owner, reader, writer"),
    ("acl edit r --role owner --send-updates external --yes", "acl edit", "--send-updates must be all or none"),
    ("call GET a --query x", "call", "--query must have the form NAME=VALUE"),
    ("call POST a --form x", "call", "--form must have the form NAME=VALUE"),
    ("call POST a --form a=b --data -", "call", "--form and --data cannot be combined. Omit one"),
    ("call POST a --data /nowhere", "call", "The file for --data cannot be read"),
    ("call GET a --origin http://api.example", "call", "--origin must be an https URL"),
    ("call GET a --origin api.example", "call", "--origin must be an https URL"),
    ("call GET https://other.example/", "call", "pass it with --origin"),
  ]

  @Test(arguments: reading + hours + adding + changing)
  func invalidSpanOrChangeIsNamed(_ row: Row) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    api.on("GET calendars/mars/events", #"{"timeZone": "Mars/Olympus", "items": []}"#)
    for path in ["calendars/primary/events/e1", "users/me/calendarList/work", "calendars/work"] {
      api.on("GET \(path)", #"{"id": "e1", "summary": "Tea"}"#)
    }
    await expect(row, of: try await CommandHarness.signedIn(to: api))
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: [
    "events add", "events edit", "calendars add", "calendars edit", "calendars subscribe", "calendars customize",
  ])
  func dataIsAnObject(_ command: String) async throws {
    let api = ScriptedCalendarAPI()
    let id = command.hasSuffix(" add") ? "" : " id"
    let harness = try await CommandHarness.signedIn(to: api)
    for data in ["", "[]", "7", "{", #"{"a":1,"a":2}"#] {
      await expect(("\(command)\(id) --yes --data -", command, "must contain a JSON object"), of: harness, data: data)
    }
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: [
    ("events add", #"{"summary": "Tea", "start": {"date": "2026-11-23"}}"#, "Use --start, or set both in --data"),
    (
      "events add --start tomorrow·9:00", #"{"recurrence": ["RRULE:FREQ=WEEKLY;UNTIL=20260616T100000"]}"#,
      "Write UNTIL in UTC"
    ), ("calendars add", #"{"location": "Rome"}"#, "Use --title, or summary in --data"),
  ])
  func dataLacksAField(_ command: String, _ data: String, _ part: String) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    let name = command.split(separator: " ").prefix(2).joined(separator: " ")
    await expect(
      ("\(command) --yes --data -", name, part), of: try await CommandHarness.signedIn(to: api), data: data)
    #expect(api.writes.isEmpty)
  }

  // MARK: Servers and clients

  private static let choices: [Row] =
    ([
      ("--provider nobody", "discord, dropbox, facebook, github, gitlab, google, linkedin, meetup, microsoft, slack"),
      ("--provider Gogle", "Did you mean `google`?"), ("--provider microsoft", "needs --tenant"),
      ("--provider github --tenant t", "--tenant is for --provider microsoft only"), ("--tenant t", "microsoft only"),
    ] as [(String, String)]).map { ("sign-in --client-id c \($0)", "", $1) }
    + rows(
      "sign-in --client-id c --issuer https://a.example", "",
      ["--provider github", "--tenant t", "--provider-url https://b.example"], "--issuer names the server")
    + rows(
      "sign-in --client-id c --provider gitlab --provider-url", "",
      ["http://a.example", "https://a.example?b", "https://a.example#b"], "--provider-url must be an https URL")
    + rows(
      "sign-in --client-id c --api-url", "",
      ["api", "http://a.example", "ftp://a.example", "https://a.example?b", "https://a.example#b"],
      "--api-url must be an https URL")
  private static let signIns: [Row] =
    ([
      ("--client-id c --device --no-browser", "--device and --no-browser cannot be combined. Omit one"),
      ("--client-id ∅", "--client-id must not be empty"), ("--client-id ·", "--client-id must not be empty"),
      ("--client-id c --redirect-port 65536", "--redirect-port must be a number from 0 to 65535"),
      ("--client-id c --redirect-port -1", "--redirect-port must be a number from 0 to 65535"),
      ("--client-id c --client-auth guess", "--client-auth must be one of none, client_secret_basic"),
      ("--client-id c --client-auth private_key_jwt", "--client-key-file"),
      ("--resource http://a.example/", "--resource must be an https URL"),
      ("--resource https://a.example/#b", "--resource must be an https URL"),
      ("--resource https://a.example/ --issuer https://b.example", "Name the client with --client-id"),
    ] as [(String, String)]).map { ("sign-in \($0)", "sign-in", $1) }
    + ["client_secret_basic", "client_secret_post", "client_secret_jwt"].map {
      ("sign-in --client-id c --client-auth \($0)", "sign-in", "\($0) needs the client secret")
    }
    + rows(
      "sign-in --resource https://a.example/", "sign-in",
      ["--api-url https://a.example", "--provider github", "--provider-url https://b.example", "--tenant t"],
      "--resource finds the server")
    + rows(
      "sign-in --resource https://a.example/", "sign-in",
      [
        "--client-id c", "--client-auth none", "--client-key-file f", "--client-cert-file f", "--client-secret-file f",
        "--ask-client-secret",
      ], "Name the server with --issuer")
  private static let serving: [Row] = [
    ("sign-in", "sign-in", "almanac sign-in --client-id ID"), ("demo --web --all", "demo", "cannot be combined"),
    ("demo --web --port 65536", "demo", "--port must be a number from 0 to 65535"),
    ("sandbox --port x", "sandbox", "--port"), ("sandbox --quota 0", "sandbox", "--quota must be a number from 1"),
    ("sandbox --quota 1000001", "sandbox", "--quota"), ("sandbox --quota=-1", "sandbox", "--quota"),
    ("sandbox --service-account-keys keys", "sandbox", "--seed"), ("discover mcp", "discover", "https URL"),
    ("discover http://api.example/", "discover", "https URL"), ("discover ∅", "discover", "https URL"),
  ]

  @Test(arguments: choices + signIns + serving)
  func invalidServerOrClientIsNamed(_ row: Row) async {
    let harness = CommandHarness(transport: { _ in
      StubTransport { request in
        Issue.record("\(request) is sent")
        return HTTPResponse(status: 500)
      }
    })
    await expect(row, of: harness)
    #expect(!FileManager.default.fileExists(atPath: harness.home), "nothing is stored")
  }

  @Test func hintNamesTheOtherAccounts() async throws {
    let harness = CommandHarness()
    #expect(await harness.run(CommandHarness.signIn(scope: "openid") + ["--account", "home"]).status == .success)
    // The other records belong to programs that use the same folder.
    for account in ["work", "other", "other program", "home program"] {
      try await harness.storage.withExclusiveAccess(to: account) {
        try await $0.write(StoredToken(accessToken: Secret("t")))
      }
    }
    let said = await harness.run("profile", "--account", "work").errors
    #expect(said.contains("Tokens are stored for: home (choose with --account)"), "\(said)")
  }
}
