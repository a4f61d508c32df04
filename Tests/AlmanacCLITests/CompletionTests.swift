// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import TestSupport
import Testing

/// The completion scripts, run by their shells, the manual page, and the document with all commands.
@Suite(.takesTurns) struct CompletionTests {
  /// The words before the cursor, the last one incomplete, and the suggestions.
  private static let rows: [(line: String, suggestions: Set<String>)] = [
    ("almanac ev", ["events"]), ("almanac si", ["sign-in"]),
    ("almanac events ", ["list", "get", "add", "quick-add", "edit", "move", "delete"]),
    ("almanac events q", ["quick-add"]), ("almanac acl l", ["list"]), ("almanac calendars su", ["subscribe"]),
    ("almanac calendars --co", ["--color"]), ("almanac events add --tit", ["--title"]),
    ("almanac events list --tit", []), ("almanac agenda --da", ["--days"]), ("almanac agenda --days ", []),
    ("almanac agenda --color ", ["auto", "always", "never"]), ("almanac agenda --color al", ["always"]),
    ("almanac agenda --provider git", ["github", "gitlab"]),
    ("almanac sign-in --prompt ", ["none", "login", "consent", "select_account"]),
    ("almanac acl add --role free", ["free-busy"]),
    ("almanac events add --send-updates ", ["all", "external", "none"]),
    ("almanac events edit --show-as f", ["free"]), ("almanac calendars customize --hidden ", ["yes", "no"]),
    ("almanac token --storage key", ["keyring"]), ("almanac tokens migrate --to p", ["postgresql"]),
    ("almanac completion z", ["zsh"]), ("almanac nonsense --", []),
  ]

  /// Runs a script that sources the completion of a shell, and returns the lines it writes.
  private func lines(of shell: String, at path: String, running script: (String) -> String) async throws -> [String] {
    let completion = await CommandHarness().run(["completion", shell])
    #expect(completion.status == .success && completion.errors.isEmpty)
    let file = FileManager.default.temporaryDirectory.appending(path: "almanac-completion-\(UUID().uuidString)")
    try completion.output.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = try ChildProcess(
      executable: URL(filePath: path), ["-c", script(file.path)], environment: ["HOME": "/nonexistent"],
      mergesErrors: true)
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    #expect(await process.exitStatus() == 0, "\(lines)")
    return lines
  }

  @Test func bashSuggestsCommandsOptionsAndValues() async throws {
    let lines = try await lines(of: "bash", at: "/bin/bash") { file in
      var script = "compopt() { :; }; source '\(file)'\n"
      for row in Self.rows {
        let words = row.line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
        script += "COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)\n"
        script += "_almanac; echo \"${COMPREPLY[*]}\"\n"
      }
      return script
    }
    #expect(lines.count == Self.rows.count)
    for (row, line) in zip(Self.rows, lines) {
      // Options are suggested together with second words and with argument values.
      let isOption = row.line.contains(" -")
      let suggestions = line.split(separator: " ").map(String.init).filter { isOption || !$0.hasPrefix("-") }
      #expect(Set(suggestions) == row.suggestions, "\(row.line)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")))
  func fishSuggestsCommandsOptionsAndValues() async throws {
    let lines = try await lines(of: "fish", at: "/usr/bin/fish") { file in
      "source '\(file)'\n"
        + Self.rows.map { "echo (complete -C '\($0.line)' | cut -f 1)" }.joined(separator: "\n")
    }
    #expect(lines.count == Self.rows.count)
    for (row, line) in zip(Self.rows, lines) {
      #expect(Set(line.split(separator: " ").map(String.init)) == row.suggestions, "\(row.line)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
  func zshReadsItsScript() async throws {
    #expect(try await lines(of: "zsh", at: "/usr/bin/zsh") { "zsh -n '\($0)' && echo read" } == ["read"])
  }

  @Test func everyCommandAndOptionIsInEachScriptAndInTheManual() async throws {
    for arguments in [["completion", "bash"], ["completion", "zsh"], ["completion", "fish"], ["manual"]] {
      let text = await CommandHarness().run(arguments).output.replacing("\\-", with: "-")
      for command in Command.all {
        #expect(text.contains(command.name), "\(arguments)")
        for option in command.optionNames { #expect(text.contains(option), "\(arguments) \(command.name)") }
      }
    }
  }

  @Test func manualHasNoLineThatIsARequestByMistake() async throws {
    let requests = Set(["TH", "SH", "SS", "B", "I", "RI", "TP", "PP", "\\\""])
    for line in await CommandHarness().run(["manual"]).output.split(separator: "\n")
    where ".'".contains(line.first ?? " ") {
      #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
    }
  }

  // MARK: The document

  /// The first one or two words after `almanac` in `Documentation/Command.md`.
  private static let documented: Set<String> = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try? String(contentsOf: root.appending(path: "Documentation/Command.md"), encoding: .utf8)
    let names = Set(Command.all.map(\.name))
    return Set(
      (page ?? "").matches(of: /\balmanac ([a-z-]+)(?: ([a-z-]+))?/).map { match in
        let pair = "\(match.1) \(match.2 ?? "")"
        return names.contains(pair) ? pair : String(match.1)
      })
  }()

  @Test(arguments: Command.all.map(\.name)) func commandIsDocumented(_ name: String) {
    #expect(Self.documented.contains(name))
  }
}
