// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The command as it is run, with settings and tokens in a folder of its own and no browser.
@Suite(.timeLimit(.minutes(1))) final class CommandTests {
  private let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: home) }

  private func start(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
    let plain = ["HOME": home.path(), "PATH": "/usr/bin:/bin"]
    return try ChildProcess(
      program: "almanac", arguments, environment: plain.merging(environment) { $1 }, mergesErrors: true)
  }

  private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> (
    status: Int32, said: String
  ) {
    let command = try start(arguments, environment)
    var said = ""
    for await line in command.lines { said += line + "\n" }
    return (await command.exitStatus(), said)
  }

  /// Runs a line of shell in which `almanac` is the command.
  ///
  /// - Returns: Its exit status, and what it wrote to standard output and error.
  private func shell(_ line: String) async throws -> (status: Int32, said: String) {
    let program = try BuiltProgram.find("almanac")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "ALMANAC='\(program.path())'; almanac() { \"$ALMANAC\" \"$@\"; }\n\(line)"]
    process.environment = ["HOME": home.path(), "PATH": "/usr/bin:/bin", "TMPDIR": home.path()]
      .merging(Sanitizer.options) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          try process.run()
          let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          continuation.resume(returning: (process.terminationStatus, said))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// Signs in against a sandbox, the test being the browser.
  ///
  /// - Parameter scopes: The scopes to name; an empty text names none.
  private func signIn(
    to server: LoopbackServer, _ sandbox: Sandbox, apiURL: URL? = nil,
    scopes: String = GoogleScope.default.map(\.rawValue).joined(separator: " "), _ more: String...
  ) async throws -> (status: Int32, said: String) {
    let command = try start(
      ["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"]
        + (scopes.isEmpty ? [] : ["--scope", scopes])
        + (apiURL.map { ["--api-url", $0.absoluteString] } ?? []) + more)
    var said = ""
    for await line in command.lines {
      said += line + "\n"
      guard line.hasPrefix("http"), let address = URL(string: line) else { continue }
      let callback = try sandbox.approve(address)
      _ = try await DefaultTransport().send(HTTPRequest(.get, callback))
    }
    return (await command.exitStatus(), said)
  }

  @Test func demonstrationSucceedsAndCountsWhatItDid() async throws {
    let result = try await run("demo", "--json")
    #expect(result.status == 0)
    let summary = try #require(try JSONSerialization.jsonObject(with: Data(result.said.utf8)) as? [String: Int])
    #expect(try #require(summary["calendars"]) >= 12)
    #expect(summary["signIns"] == 1)
    #expect(summary["refreshes"] == 1)
    #expect(summary["retriedRejections"] == 1)
    #expect(summary["revocations"] == 1)
  }

  @Test func everyCommandExplainsItself() async throws {
    let overview = try await run("--help")
    #expect(overview.status == 0)
    for name in ["demo", "sign-in", "calendars", "agenda", "profile", "call", "status", "revoke"] {
      #expect(overview.said.contains("  \(name) "))
      let help = try await run(name, "--help")
      #expect(help.status == 0)
      #expect(help.said.contains("Usage: almanac \(name)"))
    }
  }

  @Test func versionIsALine() async throws {
    let result = try await run("--version")
    #expect(result.status == 0)
    #expect(result.said.wholeMatch(of: /almanac \d+\.\d+\.\d+(-[a-z]+)?\n/) != nil)
  }

  @Test(arguments: [
    [], ["nonsense"], ["profile", "--nonsense"], ["profile", "s3cret"], ["call", "GET"], ["agenda", "--days", "0"],
    ["agenda", "--days"], ["profile", "--json=s3cret"], ["profile", "--account", "a", "--account", "s3cret"],
    ["profile", "--color", "s3cret"], ["profile"], ["demo", "--web", "--port", "70000"],
    ["sign-in", "--client-secret", "s3cret"], ["sign-in", "-ss3cret"], ["profile", "---json"],
  ])
  func wrongCallIsStatusTwoAndShowsNoValue(_ arguments: [String]) async throws {
    let command = try start(arguments)
    var said = ""
    for await line in command.lines { said += line }
    #expect(await command.exitStatus() == 2)
    #expect(!said.isEmpty)
    #expect(!said.contains("s3cret"), "an argument may be a secret in the wrong place")
  }

  @Test func signInIsKeptUsedAndRevoked() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let signedIn = try await signIn(to: server, sandbox, apiURL: server.url)
    #expect(signedIn.status == 0, "\(signedIn.said)")

    let status = try await run("status", "--json")
    #expect(status.said.contains(#""signedIn" : true"#))
    #expect(status.said.contains(#""canRefresh" : true"#))
    let profile = try await run("profile")
    #expect(profile.said.contains(sandbox.configuration.user.email))
    let calendars = try await run("calendars", "--json")
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(calendars.said.utf8)) as? [[String: Any]])
    #expect(entries.count >= 12)
    let agenda = try await run("agenda", "--days", "2", "--json")
    let events = try #require(try JSONSerialization.jsonObject(with: Data(agenda.said.utf8)) as? [[String: Any]])
    let titles = Dictionary(entries.map { ($0["id"] as? String, $0["summaryOverride"] ?? $0["summary"]) }) { $1 }
    #expect(!events.isEmpty)
    for event in events {
      let calendar = try #require(event["calendar"] as? [String: String])
      #expect(event["start"] != nil)
      #expect(calendar["title"] == titles[calendar["id"]] as? String)
    }
    let colors = try await run("call", "GET", "calendar/v3/colors")
    #expect(colors.said.contains("calendar#colors"))
    let missing = try await run("call", "GET", "calendar/v3/nonsense")
    #expect(missing.status == 7)
    let foreign = try await run("call", "GET", "https://evil.example/")
    #expect(foreign.status == 2)

    let revoked = try await run("revoke")
    #expect(revoked.status == 0)
    let after = try await run("profile", "--json")
    #expect(after.status == 3)
    #expect(after.said.contains(#""exitStatus" : 3"#))
    await server.stop()
  }

  @Test func codeIsEnteredOnAnotherDevice() async throws {
    var configuration = Sandbox.Configuration()
    configuration.devicePollingInterval = .seconds(1)
    let sandbox = Sandbox(configuration: configuration)
    let server = try await sandbox.serve()
    let arguments = [
      "sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac", "--scope", "email", "--device",
    ]
    let command = try start(arguments)
    for await line in command.lines {
      guard let code = line.wholeMatch(of: /and enter the code (.+)/)?.1 else { continue }
      try sandbox.approve(userCode: String(code))
    }
    #expect(await command.exitStatus() == 0)
    #expect(sandbox.requestCount(.authorization) == 0)
    let again = try start(arguments + ["--if-needed"])
    for await _ in again.lines {}
    #expect(await again.exitStatus() == 0)
    #expect(sandbox.requestCount(.deviceAuthorization) == 1)
    await server.stop()
  }

  @Test func refusalIsStatusFour() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let command = try start(["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"])
    for await line in command.lines where line.hasPrefix("http") {
      let callback = try sandbox.approve(try #require(URL(string: line)), deny: true)
      _ = try await DefaultTransport().send(HTTPRequest(.get, callback))
    }
    #expect(await command.exitStatus() == 4)
    await server.stop()
  }

  @Test func interruptedSignInIsStatus130AndClosesItsPort() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let command = try start(["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"])
    var redirect: URL?
    for await line in command.lines where line.hasPrefix("http") {
      let query = FormEncoding.form.decode(try #require(URL(string: line)?.query(percentEncoded: true)))
      redirect = query["redirect_uri"].flatMap { URL(string: $0) }
      command.interrupt()
    }
    #expect(await command.exitStatus() == 130)
    let port = try #require(redirect)
    let error = await #expect(throws: TransportError.self) {
      try await DefaultTransport().send(HTTPRequest(.get, port))
    }
    #expect(error?.code == .unreachable)
    await server.stop()
  }

  /// A server that changes a sandbox's responses.
  private func serve(
    _ sandbox: Sandbox, changing change: @escaping @Sendable (String, inout HTTPResponse) -> Void
  ) async throws -> LoopbackServer {
    try await LoopbackServer.start { request in
      var response = await sandbox.respond(to: request)
      change(request.url.path(), &response)
      return response
    }
  }

  @Test func profileThatIsRefusedWith401IsStatusThree() async throws {
    let sandbox = Sandbox()
    let server = try await serve(sandbox) { path, response in
      if path == "/userinfo" { response = HTTPResponse(status: 401) }
    }
    #expect(try await signIn(to: server, sandbox).status == 0)
    #expect(try await run("profile").status == 3)
    await server.stop()
  }

  @Test func serverWithoutRevocationLeadsToRevokeLocal() async throws {
    let sandbox = Sandbox()
    let server = try await serve(sandbox) { path, response in
      guard path.contains(".well-known") else { return }
      response.body = Array(
        String(decoding: response.body, as: UTF8.self).replacing("revocation_endpoint", with: "elsewhere").utf8)
    }
    #expect(try await signIn(to: server, sandbox).status == 0)
    let revoked = try await run("revoke")
    #expect(revoked.status == 1)
    #expect(revoked.said.contains("revoke --local"))
    #expect(try await run("revoke", "--local").status == 0)
    await server.stop()
  }

  @Test(arguments: [
    ["status"], ["revoke"], ["revoke", "--local"], ["profile", "--client-id", "a"], ["calendars", "--client-id", "a"],
    ["agenda", "--client-id", "a"], ["call", "GET", "a", "--client-id", "a"],
    ["sign-in", "--if-needed", "--client-id", "a", "--issuer", "http://127.0.0.1:1"],
  ])
  func commandWithoutTokensLeavesNoFolder(_ arguments: [String]) async throws {
    let command = try start(arguments)
    for await _ in command.lines {}
    _ = await command.exitStatus()
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path()) == [])
  }

  @Test func promptIsSentAsItIsGiven() async throws {
    let command = try start(["sign-in", "--client-id", "almanac", "--prompt", "select_account"])
    var address: String?
    for await line in command.lines where line.hasPrefix("https://accounts.google.com/") {
      address = line
      command.interrupt()
    }
    #expect(await command.exitStatus() == 130)
    #expect(try #require(address).contains("prompt=select_account"))
    #expect(try #require(address).contains("access_type=offline"))
  }

  @Test func hintNamesTheAccountsThereAre() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox, "--account", "work").status == 0)
    for arguments in [["status"], ["profile"], ["profile", "--client-id", "almanac"], ["revoke"]] {
      let command = try start(arguments + ["--account", "wrok"])
      var said = ""
      for await line in command.lines { said += line }
      #expect(said.contains("Tokens are stored for: work"), "\(arguments)")
      _ = await command.exitStatus()
    }
    await server.stop()
  }

  @Test(arguments: [
    ["sign-in", "--client-id", "a", "--issuer", "http://127.0.0.1%1B%5B31m:1"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%C2%9B31m.invalid/"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%E2%80%AE.invalid/", "--verbose"],
    ["profile", "--\u{1B}]0;title\u{7}"], ["status", "--account", "a\u{9B}31m"],
  ])
  func argumentBringsNoControlCharactersToTheTerminal(_ arguments: [String]) async throws {
    let command = try start(arguments)
    var said = ""
    for await line in command.lines { said += line }
    _ = await command.exitStatus()
    let steering = said.unicodeScalars.filter { scalar in
      [.control, .format].contains(scalar.properties.generalCategory)
    }
    #expect(!said.isEmpty && steering.isEmpty)
  }

  @Test(arguments: ["", " "]) func emptyClientIdentifierIsRefused(_ id: String) async throws {
    #expect(try await run("sign-in", "--client-id", id).status == 2)
    #expect(try await run("sign-in", environment: ["ALMANAC_CLIENT_ID": id]).status == 2)
  }

  @Test func commandThatNeedsAnAPISaysSoWhenOnlyTheIssuerIsKnown() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox).status == 0)
    for arguments in [["calendars"], ["agenda"], ["call", "GET", "calendar/v3/colors"]] {
      let command = try start(arguments)
      var said = ""
      for await line in command.lines { said += line }
      #expect(await command.exitStatus() == 2)
      #expect(said.contains("--api-url"))
    }
    #expect(try await run("call", "GET", "https://www.googleapis.com/calendar/v3/colors").status == 2)
    #expect(try await run("profile").said.contains(sandbox.configuration.user.email))
    await server.stop()
  }

  @Test func signInAtGoogleByItsIssuerAsksForARefreshToken() async throws {
    let command = try start(["sign-in", "--issuer", "https://accounts.google.com", "--client-id", "almanac"])
    var address: String?
    for await line in command.lines where line.hasPrefix("https://accounts.google.com/") {
      address = line
      command.interrupt()
    }
    #expect(await command.exitStatus() == 130)
    #expect(try #require(address).contains("access_type=offline"))
    #expect(try #require(address).contains("prompt=consent"))
  }

  #if os(Linux)
    @Test func programThatOpensTheBrowserDoesNotSeeTheState() async throws {
      let sandbox = Sandbox()
      let server = try await sandbox.serve()
      // It notes its arguments; the test then opens the link as a browser would.
      let (program, seen) = (home.appending(path: "browser").path(), home.appending(path: "seen").path())
      try "#!/bin/sh\necho \"$@\" > '\(seen)'\n".write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      let command = try start(
        ["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"], ["BROWSER": program])
      var arguments = ""
      for await line in command.lines where line.hasPrefix("http") {
        while !arguments.hasSuffix("\n") {
          // A program that the command starts has no way to signal this process.
          try await Task.sleep(for: .milliseconds(10))
          arguments = (try? String(contentsOfFile: seen, encoding: .utf8)) ?? ""
        }
        let query = FormEncoding.form.decode(try #require(URL(string: line)?.query(percentEncoded: true)))
        for name in ["state", "nonce", "code_challenge"] {
          #expect(!arguments.contains(try #require(query[name])), "\(name) is in the process table")
        }
        let link = try #require(URL(string: String(arguments.dropLast())))
        let opened = try await DefaultTransport(limits: .init(redirects: 0)).send(HTTPRequest(.get, link))
        let address = try #require(opened.fields["Location"].flatMap { URL(string: $0) })
        _ = try await DefaultTransport().send(HTTPRequest(.get, try sandbox.approve(address)))
      }
      #expect(await command.exitStatus() == 0)
      await server.stop()
    }
  #endif

  @Test func signInListensOnThePortThatIsRegistered() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let free = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }
    await free.stop()
    let signedIn = try await signIn(to: server, sandbox, "--redirect-port", String(free.port))
    #expect(signedIn.status == 0)
    #expect(signedIn.said.contains("127.0.0.1%3A\(free.port)%2Fcallback"))
    let again = try await signIn(to: server, sandbox)
    #expect(again.said.contains("127.0.0.1%3A\(free.port)%2Fcallback"), "it is remembered like the client")
    #expect(try await run("sign-in", "--client-id", "a", "--redirect-port", "65536").status == 2)
    await server.stop()
  }

  @Test func resultOfASignInIsAnObject() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let said = try await signIn(to: server, sandbox, "--json", "--account", "work").said
    await server.stop()
    let json = try #require(said.firstIndex(of: "{").map { said[$0...] })
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(report["account"] as? String == "work")
    #expect((report["granted"] as? [String])?.isEmpty == false)
    #expect(report["refused"] as? [String] == [])
  }

  @Test func laterSignInRequestsTheScopesOfTheLastOne() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox, scopes: "openid \(GoogleScope.calendarEvents.rawValue)").status == 0)
    #expect(try await signIn(to: server, sandbox, scopes: "").status == 0)
    let requested = sandbox.log.filter { $0.kind == .consentShown }.map(\.detail)
    #expect(requested == Array(repeating: "openid \(GoogleScope.calendarEvents.rawValue)", count: 2))
    await server.stop()
  }

  @Test func signInIfNeededKeepsWhatWorksAndOpensTheBrowserWhereTheRefreshIsRefused() async throws {
    // Every use of a token that lives no time refreshes it.
    let sandbox = Sandbox(configuration: .init(accessTokenLifetime: .zero))
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox).status == 0)
    #expect(try await signIn(to: server, sandbox, "--if-needed").status == 0)
    #expect(sandbox.log.count { $0.kind == .consentShown } == 1)
    sandbox.revokeGrants()
    #expect(try await signIn(to: server, sandbox, "--if-needed").status == 0)
    #expect(sandbox.log.count { $0.kind == .consentShown } == 2)
    await server.stop()
  }

  @Test func storedClientIsNotUsedAtAnotherServer() async throws {
    let (sandbox, other) = (Sandbox(), Sandbox())
    let (server, otherServer) = (try await sandbox.serve(), try await other.serve())
    #expect(try await signIn(to: server, sandbox).status == 0)
    let result = try await run("profile", "--issuer", otherServer.url.absoluteString)
    #expect(result.status == 2)
    #expect(result.said.contains("No client is known"))
    #expect(other.requestCount(.metadata) == 0)
    await server.stop()
    await otherServer.stop()
  }

  @Test func firstSignInAtAnIssuerRequestsNoScopeOfGoogles() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox, scopes: "").status == 0)
    #expect(sandbox.log.filter { $0.kind == .consentShown }.map(\.detail) == ["openid profile email"])
    await server.stop()
  }

  @Test func dataComesFromAPipeOrASubstitution() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(
      try await signIn(to: server, sandbox, apiURL: server.url, scopes: GoogleScope.calendar.rawValue).status == 0)
    let call = "almanac call POST calendar/v3/calendars"
    let piped = try await shell(#"(sleep 0.2; echo '{"summary":"Piped"}') | \#(call) --data -"#)
    #expect(piped.status == 0)
    #expect(piped.said.contains("Piped"))
    let substituted = try await shell(#"\#(call) --data <(echo '{"summary":"Given"}')"#)
    #expect(substituted.said.contains("Given"))
    #expect(try await shell("\(call) --data /nowhere").status == 2)
    // The secret's file is a pipe, too; it is read once and its name not kept.
    let status = try await shell("almanac status --client-secret-file <(echo s)")
    #expect(status.status == 2, "status needs no secret")
    let profile = try await shell("almanac profile --client-secret-file <(sleep 0.2; echo s)")
    #expect(!profile.said.contains("cannot be read"))
    await server.stop()
  }

  @Test func callbackIsReadFromAPipe() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let result = try await shell(
      "(sleep 0.2; echo 'http://127.0.0.1:4711/callback?state=another&code=s3cret') | almanac sign-in --no-browser --json "
        + "--redirect-port 4711 --client-id almanac --issuer \(server.url.absoluteString)")
    #expect(result.status == 1)
    #expect(result.said.contains("stateMismatch"))
    #expect(!result.said.contains("s3cret"))
    await server.stop()
  }

  @Test func waitingForDataEndsWithAnInterruption() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await signIn(to: server, sandbox, apiURL: server.url).status == 0)
    let result = try await shell(
      "mkfifo $HOME/p; $ALMANAC call POST a --data $HOME/p & sleep 0.5; kill -TERM $!; wait $!")
    #expect(result.status == 130)
    await server.stop()
  }

  @Test func readerThatHasEnoughEndsTheDemonstrationQuietly() async throws {
    let result = try await shell(
      "almanac demo | head -1; echo ${PIPESTATUS[0]}; ls -d $TMPDIR/almanac-demo-* 2>/dev/null")
    let lines = result.said.split(separator: "\n")
    #expect(lines.count == 2, "one line, its status, and no folder is left: \(result.said)")
    #expect(lines.last == "0")
  }

  #if os(Linux)
    @Test(arguments: ["demo --json", "--help", "status", "profile --help"])
    func outputThatIsLostIsAFailure(_ arguments: String) async throws {
      let result = try await shell("almanac \(arguments) > /dev/full")
      #expect(result.status == 1)
      #expect(result.said.contains("output could not be written"))
    }
  #endif

  @Test(arguments: [
    ["profile", "--nonsense", "--json"], ["nonsense", "--json"], ["agenda", "--json", "--days"],
    ["profile", "--json", "--account", "a b"],
  ])
  func wrongCallIsJSONForAProgram(_ arguments: [String]) async throws {
    let command = try start(arguments)
    var said = ""
    for await line in command.lines { said += line }
    #expect(await command.exitStatus() == 2)
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: [String: Any]])
    #expect(answer["error"]?["exitStatus"] as? Int == 2)
  }

  @Test func pageTellsAProgramItsAddress() async throws {
    let command = try start(["demo", "--web", "--no-browser", "--json"])
    var said = ""
    for await line in command.lines {
      said += line
      if line == "}" { command.interrupt() }
      if !line.hasPrefix("{"), !line.hasPrefix(" "), line != "}" { command.interrupt() }
    }
    #expect(await command.exitStatus() == 0)
    let end = try #require(said.firstIndex(of: "}"))
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(said[...end].utf8)) as? [String: String])
    #expect(answer["url"]?.hasPrefix("http://127.0.0.1:") == true)
  }

  @Test func nameOfAnAccountIsTheCallersBusiness() async throws {
    #expect(try await run("status", "--account", "a b").status == 2)
    #expect(try await run("status", "--account", "").status == 2)
    #expect(try await run("status", environment: ["ALMANAC_ACCOUNT": ""]).said.contains("\"default\""))
  }

  @Test func serverThatIsDownIsStatusFive() async throws {
    let result = try await run("sign-in", "--issuer", "http://127.0.0.1:1", "--client-id", "almanac")
    #expect(result.status == 5)
  }

  @Test func damagedSettingsAreStatusSix() async throws {
    let folder = home.appending(path: ".config/almanac")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.appending(path: "default.json"))
    #expect(try await run("profile").status == 6)
  }
}
