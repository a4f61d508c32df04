// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, or not the JSON that its reader expects, and where.
///
/// It never holds a part of the text.
public struct JSONParseError: Error, Sendable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The text is not JSON ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html)), or is nested too deeply. Nothing after
    /// the offset can be read.
    case syntax
    /// A value is JSON of another kind than is expected there.
    case mismatch
    /// An object has two fields of the same name, where that is refused.
    case repeatedName
  }

  /// What is wrong.
  public package(set) var reason: Reason
  /// Where: bytes from the start of the text.
  public let offset: Int
  /// What was expected or found, as the end of a sentence; never a part of the text.
  package let problem: StaticString
  /// The names and positions that lead there, the innermost first.
  ///
  /// Only names that the reader knows, never ones from the text.
  package var path: [String] = []

  /// Creates an error.
  public init(_ reason: Reason, at offset: Int) {
    switch reason {
    case .syntax: self.init(.syntax, "a character that does not belong there", at: offset)
    case .mismatch: self.init(.mismatch, "a value of another kind than expected", at: offset)
    case .repeatedName: self.init(.repeatedName, "an object that has two fields of the same name", at: offset)
    }
  }

  @usableFromInline package init(_ reason: Reason, _ problem: StaticString, at offset: Int) {
    self.reason = reason
    self.problem = problem
    self.offset = offset
  }
}

extension JSONParseError {
  /// The same error, after which reading cannot go on.
  package var asSyntax: JSONParseError {
    var error = self
    error.reason = .syntax
    return error
  }

  package func inside(_ step: String) -> JSONParseError {
    var error = self
    error.path.append(step)
    return error
  }

  /// What was found and where, as the end of a sentence.
  package var finding: String {
    var place = "byte \(offset)"
    if !path.isEmpty {
      place += ", in " + path.reversed().reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }
    return "\(problem) (\(place))"
  }
}

extension JSONParseError: CustomStringConvertible {
  /// What is wrong and where, in a sentence.
  public var description: String { "The text is not the JSON that is expected (RFC 8259): \(finding)." }
}
