// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error that states why, and at which byte, a text is not JSON or not the expected JSON.
///
/// It never contains a part of the text.
public struct JSONParseError: Error, Sendable {
  /// The kind of error.
  public enum Reason: Sendable, Hashable {
    /// The text is not JSON ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html)), or is nested too deeply. Nothing after
    /// the offset can be read.
    case syntax
    /// A value is of another kind than expected.
    case mismatch
    /// An object has two fields of the same name, and the reader requires unique names.
    case repeatedName
  }

  /// The kind of error.
  public package(set) var reason: Reason
  /// The place of the error, in bytes from the start of the text.
  public let offset: Int
  /// The problem, as the end of a sentence, never a part of the text.
  package let problem: StaticString
  /// The names and indices on the path to the value, the innermost first.
  ///
  /// It contains only names known to the reader, never names from the text.
  package var path: [String] = []

  /// Creates an error.
  public init(_ reason: Reason, at offset: Int) {
    switch reason {
    case .syntax: self.init(.syntax, "an unexpected character", at: offset)
    case .mismatch: self.init(.mismatch, "a value of an unexpected type", at: offset)
    case .repeatedName: self.init(.repeatedName, "an object with a duplicate name", at: offset)
    }
  }

  @usableFromInline package init(_ reason: Reason, _ problem: StaticString, at offset: Int) {
    self.reason = reason
    self.problem = problem
    self.offset = offset
  }
}

extension JSONParseError {
  /// The same error as a syntax error, which ends the reading.
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

  /// The problem and its place, as the end of a sentence.
  package var finding: String {
    var place = "byte \(offset)"
    if !path.isEmpty {
      place += ", in " + path.reversed().reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }
    return "\(problem) (\(place))"
  }
}

extension JSONParseError: CustomStringConvertible {
  /// A sentence that states the problem and its place.
  public var description: String { "The text is not the expected JSON (RFC 8259): \(finding)." }
}

extension JSONParseError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
