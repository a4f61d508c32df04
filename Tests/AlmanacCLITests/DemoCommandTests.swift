// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// `almanac demo`.
@Suite(.takesTurns) struct DemoCommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  @Test func demonstrationSucceedsAndCountsWhatItDid() async throws {
    let result = try await almanac.run("demo", "--json")
    #expect(result.status == 0)
    let summary = try #require(try JSONSerialization.jsonObject(with: Data(result.said.utf8)) as? [String: Int])
    #expect(try #require(summary["calendars"]) >= 12)
    #expect(summary["signIns"] == 1)
    #expect(summary["refreshes"] == 1)
    #expect(summary["retriedRejections"] == 1)
    #expect(summary["revocations"] == 1)
  }

  @Test func closedPipeEndsTheDemonstrationQuietly() async throws {
    let result = try await almanac.shell(
      "almanac demo | head -1; echo ${PIPESTATUS[0]}; ls -d $TMPDIR/almanac-demo-* 2>/dev/null")
    let lines = result.said.split(separator: "\n")
    #expect(lines.count == 2, "one line, its status, and no folder is left: \(result.said)")
    #expect(lines.last == "0")
  }

  @Test func jsonOutputOfThePageIsItsURL() async throws {
    let command = try almanac.start(["demo", "--web", "--no-browser", "--json"])
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

  @Test(arguments: [([:], 404, "by default"), (["ALMANAC_TEST_CONTROL": "1"], 200, "for a test")])
  func sandboxBehindThePageIsControlledByATestAlone(
    _ environment: [String: String], _ status: Int, _ reason: String
  ) async throws {
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
    let cookie = try #require(opened.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init))
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
