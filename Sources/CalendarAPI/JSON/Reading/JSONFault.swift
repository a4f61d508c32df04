// SPDX-License-Identifier: Apache-2.0

/// Where and why bytes are not the JSON that was requested.
struct JSONFault: Error {
  enum Kind {
    /// The bytes are not JSON. Nothing after the place can be read.
    case syntax
    /// The value is JSON of another kind than its place wants. What follows can be read.
    case mismatch
  }

  private(set) var kind: Kind
  /// What was wanted or found, as the end of a sentence.
  ///
  /// Never a part of the bytes.
  let problem: StaticString
  /// Bytes from the start.
  let offset: Int
  /// The names and positions that lead there, the innermost first.
  ///
  /// Only names of the API, never ones from the bytes.
  private(set) var path: [String] = []

  init(_ kind: Kind, _ problem: StaticString, at offset: Int) {
    self.kind = kind
    self.problem = problem
    self.offset = offset
  }

  /// The same fault, from which reading cannot go on.
  var asSyntax: JSONFault {
    var fault = self
    fault.kind = .syntax
    return fault
  }

  func inside(_ step: String) -> JSONFault {
    var fault = self
    fault.path.append(step)
    return fault
  }
}

extension JSONFault: CustomStringConvertible {
  var description: String {
    var place = "byte \(offset)"
    if !path.isEmpty {
      place += ", in " + path.reversed().reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : "\($0).\($1)" }
    }
    return "\(problem) (\(place))"
  }
}
