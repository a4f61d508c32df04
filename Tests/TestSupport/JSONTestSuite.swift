// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cases of JSONTestSuite, from the table in Tests/JSONCodingTests/JSONTestSuite.
public enum JSONTestSuite {
  /// A text, and whether it is JSON.
  public struct Case: Sendable, CustomStringConvertible {
    /// `y` to be accepted, `n` to be refused, `i` either.
    public let kind: String
    /// The name of the suite's file, without its kind.
    public let name: String
    /// The bytes.
    public let text: [UInt8]

    /// Kind and name, as the suite's file is called.
    public var description: String { "\(kind)_\(name)" }
  }

  /// A line of the table that cannot be read.
  public struct MalformedLine: Error {
    let line: Substring
  }

  /// Reads the table.
  public static func cases() throws -> [Case] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let table = tests.appending(path: "JSONCodingTests/JSONTestSuite/cases.txt")
    return try String(contentsOf: table, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      line in
      let fields = line.split(separator: " ")
      let text = try fields.dropFirst(2).flatMap { piece in
        let parts = piece.split(separator: "*", maxSplits: 1)
        guard let count = Int(parts[0]), let bytes = bytes(parts[1]) else { throw MalformedLine(line: line) }
        return Array(repeatElement(bytes, count: count).joined())
      }
      return Case(kind: String(fields[0]), name: String(fields[1]), text: text)
    }
  }

  /// The bytes of a piece: each is itself, or `%` and two digits.
  private static func bytes(_ piece: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = piece.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
