// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A field selection of a GraphQL query: the field's name, its alias, and its subfields.
///
/// Supports the subset of the language needed for profile queries
/// ([GraphQL § 2.5](https://spec.graphql.org/October2021/#sec-Selection-Sets)): one query with selections and aliases,
/// without arguments, fragments and directives.
struct GraphQLSelection {
  let name: String
  let alias: String?
  let children: [GraphQLSelection]

  /// Parses a document with one query.
  ///
  /// - Throws: ``Fault``.
  static func query(_ text: String) throws(Fault) -> [GraphQLSelection] {
    var reader = Reader(text)
    if reader.takeName("query") { _ = reader.takeName() }
    let selections = try reader.selections(depth: 0)
    guard reader.isAtEnd else { throw Fault("Syntax Error: Expected <EOF>, found \(reader.found).") }
    return selections
  }

  /// Returns the selected members of an object.
  ///
  /// - Throws: ``Fault`` for an unknown field, an object without a selection, or a scalar with a selection.
  static func value(of object: JSONValue, type: String, selecting: [GraphQLSelection]) throws(Fault) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for selection in selecting {
      guard let value = object[selection.name] else {
        throw Fault("Cannot query field \"\(selection.name)\" on type \"\(type)\".")
      }
      let key = selection.alias ?? selection.name
      switch (value, selection.children.isEmpty) {
      case (.object, false):
        members[key] = try self.value(of: value, type: selection.name, selecting: selection.children)
      case (.object, true): throw Fault("Field \"\(selection.name)\" must have a selection of subfields.")
      case (_, false): throw Fault("Field \"\(selection.name)\" must not have a selection.")
      default: members[key] = value
      }
    }
    return .object(members)
  }

  /// An error in a query.
  struct Fault: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }
}

extension GraphQLSelection {
  /// A cursor over the tokens of a document.
  private struct Reader {
    private var tokens: ArraySlice<String>
    private static let maximumDepth = 16

    init(_ text: String) {
      var tokens: [String] = []
      var name = ""
      for character in text {
        if character.isLetter || character.isNumber || character == "_" {
          name.append(character)
          continue
        }
        if !name.isEmpty { tokens.append(name) }
        name = ""
        // GraphQL § 2.1.3 and 2.1.5: white space and commas are insignificant separators.
        if !character.isWhitespace, character != "," { tokens.append(String(character)) }
      }
      if !name.isEmpty { tokens.append(name) }
      self.tokens = tokens[...]
    }

    var isAtEnd: Bool { tokens.isEmpty }
    var found: String { tokens.first.map { "\"\($0)\"" } ?? "<EOF>" }

    mutating func takeName(_ expected: String? = nil) -> String? {
      guard let first = tokens.first, first.first?.isLetter == true || first.first == "_" else { return nil }
      guard expected == nil || expected == first else { return nil }
      return tokens.popFirst()
    }

    mutating func takeName(_ expected: String) -> Bool { takeName(Optional(expected)) != nil }

    private mutating func take(_ token: String) -> Bool {
      guard tokens.first == token else { return false }
      tokens.removeFirst()
      return true
    }

    mutating func selections(depth: Int) throws(Fault) -> [GraphQLSelection] {
      guard depth < Self.maximumDepth else { throw Fault("The query is nested too deeply.") }
      guard take("{") else { throw Fault("Syntax Error: Expected \"{\", found \(found).") }
      var selections: [GraphQLSelection] = []
      while !take("}") {
        guard let first = takeName() else { throw Fault("Syntax Error: Expected Name, found \(found).") }
        let second = take(":") ? takeName() : nil
        let children = tokens.first == "{" ? try self.selections(depth: depth + 1) : []
        selections.append(
          GraphQLSelection(name: second ?? first, alias: second == nil ? nil : first, children: children))
      }
      guard !selections.isEmpty else { throw Fault("Syntax Error: Expected Name, found \"}\".") }
      return selections
    }
  }
}
