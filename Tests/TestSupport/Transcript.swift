// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Testing

/// One scenario of a file: inputs, and below each the results that are expected.
///
/// A file has a line `## TITLE | OPTIONS` before each scenario. An input may continue in lines that are indented by two spaces. Lines that
/// begin with `#` are remarks.
package struct Transcript: Sendable, CustomTestStringConvertible {
  private let file: URL
  package let testDescription: String
  package let options: Set<String>
  package let lines: [String]

  private static let files = NSLock()
  private static let separator = "\n## "

  /// Returns the scenarios of all text files of a folder.
  package static func all(in folder: URL) -> [Transcript] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name -> [Transcript] in
      let file = folder.appending(path: name)
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.components(separatedBy: separator).dropFirst().map { part in
        var lines = part.components(separatedBy: "\n")
        let title = lines.removeFirst().components(separatedBy: " | ")
        while lines.last == "" { lines.removeLast() }
        let options = title.count > 1 ? title[1].split(separator: " ").map { String($0) } : []
        return Transcript(file: file, testDescription: title[0], options: Set(options), lines: lines)
      }
    }
  }

  /// Carries out each input, and compares the results with the lines below it.
  ///
  /// With `ALMANAC_RECORD_TRANSCRIPTS=1` it writes them into the file instead.
  ///
  /// - Parameters:
  ///   - isResult: Tells whether a line is a result.
  ///   - carryOut: Returns the lines that an input leads to. It is given the input and the lines that continue it.
  package func check(
    isResult: (String) -> Bool, _ carryOut: (_ input: String, _ more: [String]) async throws -> [String]
  ) async throws {
    var found: [String] = []
    var rest = lines.filter { !isResult($0) }[...]
    while let line = rest.popFirst() {
      found.append(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      var more: [String] = []
      while let next = rest.first, next.hasPrefix("  ") {
        more.append(String(next.dropFirst(2)))
        found.append(next)
        rest = rest.dropFirst()
      }
      found += try await carryOut(line, more)
    }
    guard ProcessInfo.processInfo.environment["ALMANAC_RECORD_TRANSCRIPTS"] == nil else { return try write(found) }
    let different = zip(found, lines).first { $0 != $1 }
    #expect(different?.0 == different?.1)
    #expect(found.count == lines.count)
  }

  private func write(_ lines: [String]) throws {
    try Self.files.withLock {
      var parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: Self.separator)
      for index in parts.indices.dropFirst() {
        let first = parts[index].prefix { $0 != "\n" }
        if first == testDescription || first.hasPrefix(testDescription + " | ") {
          parts[index] = ([String(first)] + lines).joined(separator: "\n") + "\n"
        }
      }
      try parts.joined(separator: Self.separator).write(to: file, atomically: true, encoding: .utf8)
    }
  }
}
