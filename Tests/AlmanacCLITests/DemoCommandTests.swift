// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacSandbox
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The demonstrations, and the output of the sandbox.
@Suite(.takesTurns) struct DemoCommandTests {
  /// Returns the text with placeholders for the parts that differ in every run.
  private func plain(_ text: String) -> String {
    text.replacing(/http:\/\/127\.0\.0\.1:\d+/, with: "URL").replacing(/\S*\/almanac-demo-[0-9A-F-]+/, with: "FOLDER")
  }

  @Test func demonstrationShowsEveryStepAndItsOutcome() async throws {
    let result = await CommandHarness().run("demo")
    #expect(result.status == .success && result.errors.isEmpty, "\(result.errors)")
    let steps = ["Sandbox", "Sign-in", "Token", "Profile", "Calendars", "Agenda", "Refresh", "Retry", "Revocation"]
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.contains("  ") }
    #expect(lines.map { String($0.prefix { $0 != " " }) } == steps)
    #expect(result.output.contains("\nDone: 1 sign-in, 1 refresh, 1 retried 401, 1 revocation.\n"))
    let json = try await CommandHarness().run("demo", "--json").json
    for name in ["signIns", "refreshes", "retriedRejections", "revocations"] { #expect(json[name] == 1) }
  }

  @Test func everySystemPassesItsChecks() async throws {
    let text = await CommandHarness().run("demo", "--all")
    #expect(text.status == .success && text.errors.isEmpty, "\(text.errors)")
    let rows = try #require(try await CommandHarness().run("demo", "--all", "--json").json.array)
    let held = rows.map { $0["held"]?.array?.compactMap(\.string) ?? [] }
    #expect(
      zip(rows, held).map { "\($0["system"]?.string ?? ""): \($1.count)" } == [
        "Spanish tutorial, part 3: 9", "Spanish tutorial, part 4: 12", "English tutorial: 12", "OAuth primer: 6",
        "App Flip for iOS: 10",
      ])
    #expect(rows.allSatisfy { $0["failure"] == nil && $0["replaces"]?.string?.isEmpty == false })
    for statement in held.joined() { #expect(text.output.contains("\n  ✓ \(statement)\n")) }
    #expect(!text.output.contains("✗") && !text.output.contains("✓ \n"))
    #expect(text.output.hasSuffix("\n5 of 5 systems passed, with 49 statements checked.\n"))
    #expect(text.output.split(separator: "\n").count { $0.hasPrefix("  ✓ ") } == 49)
  }

  /// Runs a command that serves until it is interrupted, and interrupts it after its output.
  private func interrupted(_ arguments: [String], after isEnough: @escaping @Sendable (String) -> Bool) async
    -> CommandHarness.Result
  {
    let console = ScriptedConsole()
    let command = Task { await CommandHarness().run(arguments, console: console) }
    while !isEnough(console.output), console.errors.isEmpty { await Task.yield() }
    command.cancel()
    return await command.value
  }

  @Test func pageIsServedUntilTheCommandIsInterrupted() async throws {
    let text = await interrupted(["demo", "--web", "--no-browser"]) { $0.contains("Ctrl-C") }
    #expect(
      plain(text.output).wholeMatch(
        of: /The page is at URL\/open\/[A-Za-z0-9_-]{20,}\nThe URL works once, for one browser. Stop with Ctrl-C.\n/)
        != nil, "\(text.output)")
    #expect(text.errors == "Stopped.\n" && text.status == .success)
    let json = await interrupted(["demo", "--web", "--no-browser", "--json"]) { $0.hasSuffix("}\n") }
    #expect(try json.json.object?.keys.sorted() == ["url"] && json.status == .success)
  }

  @Test func guideSaysHowToSignInToTheSandbox() async throws {
    let result = await interrupted(["sandbox", "--json"]) { $0.hasSuffix("}\n") }
    #expect(result.errors == "Stopped.\n" && result.status == .success)
    let guide = try result.json
    let base = try #require(guide["url"]?.string)
    #expect(plain(base) == "URL")
    let google = guide["googleLike"]?.array?.compactMap(\.string) ?? []
    #expect(
      google.first?.hasPrefix("almanac sign-in --account sandbox --client-id \(Sandbox.Client.native.id) ") == true)
    #expect(google.first?.contains(" --issuer \(base) --api-url \(base) --scope \"openid ") == true)
    let secret = "ALMANAC_CLIENT_SECRET=sandbox-secret "
    let meetup = guide["meetupLike"]?.array?.compactMap(\.string) ?? []
    #expect(meetup.count == 2 && meetup.allSatisfy { $0.hasPrefix(secret + "almanac ") })
    #expect(meetup.first?.hasSuffix(" --provider meetup --provider-url \(base)/meetup") == true)

    let text = await interrupted(["sandbox"]) { $0.hasSuffix("}\n") }
    #expect(
      plain(text.output).hasPrefix("The sandbox is at URL. Stop with Ctrl-C.\n\nLike Google:\n  almanac sign-in "))
    for line in google + meetup { #expect(plain(text.output).contains("\n  \(plain(line))\n")) }
    let installed = try #require(text.output.firstIndex(of: "{").map { text.output[$0...] })
    let file = try JSONValue(json: Array(installed.utf8))
    #expect(file["installed"]?["redirect_uris"] == ["http://localhost"])
    #expect(file["installed"]?["token_uri"]?.string.map(plain) == "URL/token")
  }

  // MARK: The built command

  @Test func closedPipeEndsTheDemonstrationQuietly() async throws {
    let almanac = try BuiltCommand()
    let result = try await almanac.shell(
      "almanac demo | head -1; echo ${PIPESTATUS[0]}; ls -d $TMPDIR/almanac-demo-* 2>/dev/null")
    let lines = result.said.split(separator: "\n")
    #expect(lines.count == 2, "one line, its status, and no folder is left: \(result.said)")
    #expect(lines.last == "0")
  }

  @Test(arguments: [([:], 404, "by default"), (["ALMANAC_TEST_CONTROL": "1"], 200, "for a test")])
  func sandboxBehindThePageIsControlledByATestAlone(
    _ environment: [String: String], _ status: Int, _ reason: String
  ) async throws {
    let almanac = try BuiltCommand()
    let command = try almanac.start(["demo", "--web", "--no-browser"], environment)
    var statuses: [Int] = []
    for await line in command.lines {
      guard let entrance = line.firstMatch(of: /http:\S+/).flatMap({ URL(string: String($0.0)) }) else { continue }
      do {
        statuses.append(try await requestControl(behind: entrance))
      } catch {
        await command.kill()
        throw error
      }
      command.interrupt()
    }
    #expect(await command.exitStatus() == 0)
    #expect(statuses == [status], "\(reason)")
  }

  /// Returns the status of a control request to the sandbox that Grant leads to.
  private func requestControl(behind entrance: URL) async throws -> Int {
    let http = DefaultTransport(limits: .init(redirects: 0))
    let opened = try await http.send(HTTPRequest(.get, entrance))
    let set = try #require(opened.fields["Set-Cookie"])
    let cookie = String(set.prefix { $0 != ";" })
    let site = try #require(URL(string: "/", relativeTo: entrance))
    let page = try await http.send(HTTPRequest(.get, site, fields: ["Cookie": cookie]))
    let key = try #require(String(decoding: page.body, as: UTF8.self).firstMatch(of: /name="key" value="([^"]+)"/)?.1)
    let granted = try await http.send(
      HTTPRequest(
        .post, site.appending(path: "grant"),
        fields: ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"], body: Array("key=\(key)".utf8))
    )
    let consent = try #require(granted.fields["Location"].flatMap { URL(string: $0) })
    let control = try #require(URL(string: "/sandbox/token", relativeTo: consent))
    return try await http.send(
      HTTPRequest(.post, control, fields: ["Content-Type": "application/json"], body: Array("{}".utf8))
    ).status
  }
}
