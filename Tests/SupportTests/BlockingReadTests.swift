// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestSupport
import Testing

@Suite(.takesTurns) struct BlockingReadTests {
  private func lines(of text: String, limit: Int = 100) throws -> [String] {
    let pipe = Foundation.Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = try BlockingRead.line(
      of: pipe.fileHandleForReading.fileDescriptor, limit: limit, isCancelled: { false })
    {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    return lines
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\nc\n", ["", "", "c"]), ("é\r\n", ["é\r"]),
  ])
  func lineEndsWithALineFeedOrWithTheFile(_ text: String, _ expected: [String]) throws {
    #expect(try lines(of: text) == expected)
  }

  @Test func longLineIsCutAtTheLimit() throws { #expect(try lines(of: "abcdef", limit: 4) == ["abcd", "ef"]) }

  @Test func nothingAfterTheLineIsTaken() throws {
    let pipe = Foundation.Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("first\nrest".utf8))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(try BlockingRead.line(of: descriptor, limit: 100, isCancelled: { false }) == Array("first".utf8))
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("rest".utf8))
  }

  @Test(arguments: [(Int.max, "content"), (8, "content"), (7, "content"), (6, "conten"), (1, "c")])
  func fileIsReadUpToTheLimit(_ limit: Int, _ expected: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("content".utf8).write(to: file)
    let content = try BlockingRead.content(of: file.path, upTo: limit, isCancelled: { false })
    #expect(content.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(arguments: ["/nowhere/file", "/"]) func whatIsNoFileHasNoContent(_ path: String) throws {
    // A read that goes on for ever ends too.
    var turns = 0
    let content = try BlockingRead.content(
      of: path,
      isCancelled: {
        turns += 1
        return turns > 1
      })
    #expect(content == nil)
  }

  @Test func cancelledReadOfAFileEnds() throws {
    #expect(throws: CancellationError.self) { try BlockingRead.content(of: "/dev/zero", isCancelled: { true }) }
  }

  @Test func contentOfAFileIsReadInPieces() throws {
    let content = try BlockingRead.content(of: "/dev/zero", upTo: 200_000, isCancelled: { false })
    #expect(content == [UInt8](repeating: 0, count: 200_000))
  }

  @Test func cancelledReadEnds() async throws {
    let pipe = Foundation.Pipe()
    let task = Task {
      try await BlockingWork.runCancellable { isCancelled in
        try BlockingRead.line(
          of: pipe.fileHandleForReading.fileDescriptor, limit: 100, isCancelled: isCancelled)
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
