// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthJOSE
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Requests and their whole responses, which the files of `Transcripts` list: status, fields, body and log.
///
/// `ALMANAC_RECORD_TRANSCRIPTS=1` writes the responses into the files. Read each change before you commit it.
struct TranscriptTests {
  @Test(arguments: Transcript.all) func responsesAreTheWrittenOnes(_ transcript: Transcript) async throws {
    let found = try await transcript.played()
    if ProcessInfo.processInfo.environment["ALMANAC_RECORD_TRANSCRIPTS"] != nil {
      try Transcript.write(found, of: transcript)
      return
    }
    let different = zip(found, transcript.lines).first { $0 != $1 }
    #expect(different?.0 == different?.1)
    #expect(found.count == transcript.lines.count)
  }

  @Test func everyFileIsRead() { #expect(Transcript.all.count >= 25) }
}

/// One sandbox's part of a file: requests, and below each its response in lines that begin with `=`.
///
/// Values that differ in every run have a name in place of them. `{name}` in a request is the value of that member in the latest
/// response that had it.
struct Transcript: Sendable, CustomTestStringConvertible {
  let file: String
  let testDescription: String
  /// What the configuration of the sandbox has in addition.
  let options: Set<String>
  let lines: [String]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

  static let all: [Transcript] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.sorted().flatMap { file -> [Transcript] in
      let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
      return text.components(separatedBy: "\n## ").dropFirst().map { part in
        var lines = part.components(separatedBy: "\n")
        let title = lines.removeFirst().components(separatedBy: " | ")
        while lines.last == "" { lines.removeLast() }
        let options = title.count > 1 ? title[1].split(separator: " ").map { String($0) } : []
        return Transcript(file: file, testDescription: title[0], options: Set(options), lines: lines)
      }
    }
  }()

  private static let files = NSLock()

  static func write(_ lines: [String], of transcript: Transcript) throws {
    try files.withLock {
      let url = folder.appending(path: transcript.file)
      var parts = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n## ")
      let title = transcript.testDescription
      for index in parts.indices.dropFirst() {
        let first = parts[index].prefix { $0 != "\n" }
        if first == title || first.hasPrefix(title + " | ") {
          parts[index] = ([String(first)] + lines).joined(separator: "\n") + "\n"
        }
      }
      try parts.joined(separator: "\n## ").write(to: url, atomically: true, encoding: .utf8)
    }
  }

  /// Plays the requests, and returns the lines with the responses that came.
  func played() async throws -> [String] {
    let player = try TranscriptPlayer(options)
    var found: [String] = []
    var rest = lines.filter { !$0.hasPrefix("=") }[...]
    while let line = rest.popFirst() {
      found.append(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      var more: [String] = []
      while let next = rest.first, next.hasPrefix("  ") {
        more.append(String(next.dropFirst(2)))
        found.append(next)
        rest = rest.dropFirst()
      }
      found += try await player.carryOut(line, more).map { $0.isEmpty ? "=" : "= \($0)" }
    }
    return found
  }
}
