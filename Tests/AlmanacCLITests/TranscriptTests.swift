// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Commands and all that they write, which the files of `Transcripts` list: standard output, standard error and exit status.
///
/// `ALMANAC_RECORD_TRANSCRIPTS=1` writes what came into the files. Read each change before you commit it.
@Suite(.takesTurns) struct TranscriptTests {
  @Test(arguments: CommandTranscript.all) func outputIsTheWrittenOne(_ transcript: CommandTranscript) async throws {
    let found = try await transcript.played()
    if ProcessInfo.processInfo.environment["ALMANAC_RECORD_TRANSCRIPTS"] != nil {
      try CommandTranscript.write(found, of: transcript)
      return
    }
    let different = zip(found, transcript.lines).first { $0 != $1 }
    #expect(different?.0 == different?.1)
    #expect(found.count == transcript.lines.count)
  }

  @Test func everyFileIsRead() { #expect(CommandTranscript.all.count >= 60) }

  @Test func helpOfEveryCommandIsWritten() {
    let lines = Set(CommandTranscript.all.flatMap(\.lines))
    for command in Command.all { #expect(lines.contains("$ \(command.name) --help")) }
  }
}

/// One user's part of a file: commands, and below each what it wrote.
///
/// - `$ ARGUMENTS` runs a command; `> ARGUMENTS` runs it at a terminal. Quotes keep spaces, `~` is the user's folder.
/// - Indented lines are what the user types; `ALLOW` and `DENY` among them are the callback of the URL that was shown.
/// - `= ` begins a line of standard output, `! ` one of standard error, `? ` an exit status that is not 0.
/// - `SERVE METHOD URL STATUS` with fields and a body sets a response; `SENT` shows the requests since the last time.
/// - `ENV NAME=VALUE`, `FILE NAME` with its content, `SHOW NAME`, `ADVANCE SECONDS`, `REVOKE`, `REJECT` and `DEVICE ALLOW` or `DEVICE DENY`.
struct CommandTranscript: Sendable, CustomTestStringConvertible {
  let file: String
  let testDescription: String
  let options: Set<String>
  let lines: [String]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

  static let all: [CommandTranscript] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().flatMap { file -> [CommandTranscript] in
      let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
      return text.components(separatedBy: "\n## ").dropFirst().map { part in
        var lines = part.components(separatedBy: "\n")
        let title = lines.removeFirst().components(separatedBy: " | ")
        while lines.last == "" { lines.removeLast() }
        let options = title.count > 1 ? title[1].split(separator: " ").map { String($0) } : []
        return CommandTranscript(file: file, testDescription: title[0], options: Set(options), lines: lines)
      }
    }
  }()

  private static let files = NSLock()

  static func write(_ lines: [String], of transcript: CommandTranscript) throws {
    try files.withLock {
      let url = folder.appending(path: transcript.file)
      var parts = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n## ")
      for index in parts.indices.dropFirst() {
        let first = parts[index].prefix { $0 != "\n" }
        if first == transcript.testDescription || first.hasPrefix(transcript.testDescription + " | ") {
          parts[index] = ([String(first)] + lines).joined(separator: "\n") + "\n"
        }
      }
      try parts.joined(separator: "\n## ").write(to: url, atomically: true, encoding: .utf8)
    }
  }

  func played() async throws -> [String] {
    let player = try CommandPlayer(options)
    var found: [String] = []
    let isOutput = { (line: String) in
      ["=", "!"].contains(line) || ["= ", "! ", "? "].contains { line.hasPrefix($0) }
    }
    var rest = lines.filter { !isOutput($0) }[...]
    while let line = rest.popFirst() {
      found.append(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      var more: [String] = []
      while let next = rest.first, next.hasPrefix("  ") {
        more.append(String(next.dropFirst(2)))
        found.append(next)
        rest = rest.dropFirst()
      }
      found += try await player.carryOut(line, more)
    }
    return found
  }
}
