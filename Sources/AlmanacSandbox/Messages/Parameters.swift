// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parameters of a query or form.
///
/// One without a value counts as left out, and none may come twice
/// ([RFC 6749 § 3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.1)).
struct Parameters {
  private var values: [String: [String]] = [:]

  init(_ form: String) {
    for field in FormEncoding.form.decode(form) { values[field.name, default: []].append(field.value) }
  }

  /// The names that occur more than once.
  var repeated: Set<String> { Set(values.filter { $0.value.count > 1 }.keys) }

  var isEmpty: Bool { values.isEmpty }

  /// The value, unless it is empty or the name occurs more than once.
  subscript(name: String) -> String? {
    guard let all = values[name], all.count == 1, !all[0].isEmpty else { return nil }
    return all[0]
  }

  /// Puts a value in place of all of a name.
  mutating func set(_ name: String, _ value: String) { values[name] = [value] }

  /// Every value of a name that may be repeated.
  func values(for name: String) -> [String] { values[name] ?? [] }

  /// All parameters but some, in an order that does not depend on the one they came in.
  func fingerprint(without names: Set<String>) -> String {
    values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "&")
  }
}

extension HTTPRequest {
  /// The content as a form; `nil` if it is something else.
  var form: Parameters? {
    let type = fields["Content-Type"]?.split(separator: ";").first.map {
      $0.filter { !$0.isWhitespace }.lowercasedASCII
    }
    guard type == "application/x-www-form-urlencoded", let text = String(validating: body ?? [], as: UTF8.self) else {
      return nil
    }
    return Parameters(text)
  }

  var queryParameters: Parameters { Parameters(url.query(percentEncoded: true) ?? "") }
}

extension JSONValue {
  /// The text of a string, or of what a parameter has as text.
  var parameterText: String { string ?? String(decoding: json(), as: UTF8.self) }

  /// The members of an object; `nil` for anything else, and for an object that names a member twice.
  static func members(of json: [UInt8]) -> [String: JSONValue]? {
    (try? JSONValue(json: json, requiringUniqueNames: true))?.object
  }
}
