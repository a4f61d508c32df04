// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `almanac demo`.
@Suite(.timeLimit(.minutes(1))) struct DemoCommandTests {
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

  @Test func readerThatHasEnoughEndsTheDemonstrationQuietly() async throws {
    let result = try await almanac.shell(
      "almanac demo | head -1; echo ${PIPESTATUS[0]}; ls -d $TMPDIR/almanac-demo-* 2>/dev/null")
    let lines = result.said.split(separator: "\n")
    #expect(lines.count == 2, "one line, its status, and no folder is left: \(result.said)")
    #expect(lines.last == "0")
  }

  @Test func pageTellsAProgramItsAddress() async throws {
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
}
