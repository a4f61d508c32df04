// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation

/// The parameters of a query or form.
///
/// A parameter without a value counts as omitted, and a parameter must not be repeated
/// ([RFC 6749 § 3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.1)).
struct Parameters {
  private var values: [String: [String]] = [:]

  init(_ form: String) {
    for field in FormEncoding.form.decode(form) { values[field.name, default: []].append(field.value) }
  }

  /// The names of repeated parameters.
  var repeated: Set<String> { Set(values.filter { $0.value.count > 1 }.keys) }

  var isEmpty: Bool { values.isEmpty }

  /// The value of a parameter, or `nil` if it is empty or repeated.
  subscript(name: String) -> String? {
    guard let all = values[name], all.count == 1, !all[0].isEmpty else { return nil }
    return all[0]
  }

  /// Sets the only value of a parameter.
  mutating func set(_ name: String, _ value: String) { values[name] = [value] }

  /// Returns all values of a parameter.
  func values(for name: String) -> [String] { values[name] ?? [] }

  /// Returns the parameters as text, except the named ones.
  ///
  /// The result does not depend on their order.
  func fingerprint(without names: Set<String>) -> String {
    values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "&")
  }
}

extension HTTPRequest {
  /// The media type of the body, lowercase and without parameters.
  var mediaType: String? {
    fields["Content-Type"]?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercasedASCII }
  }

  /// The body as a form, or `nil` if it is not one.
  var form: Parameters? {
    guard mediaType == "application/x-www-form-urlencoded", let text = String(validating: body ?? [], as: UTF8.self)
    else { return nil }
    return Parameters(text)
  }

  /// The members of the body, or `nil` if it is not a JSON object or has a duplicate member.
  var jsonMembers: [String: JSONValue]? {
    mediaType == "application/json" ? JSONValue.members(of: body ?? []) : nil
  }

  var queryParameters: Parameters { Parameters(url.query(percentEncoded: true) ?? "") }

  /// Returns the values of a query parameter.
  ///
  /// Most requests with a token have no query. The method then decodes nothing.
  func parameters(named name: String) -> [String] {
    url.absoluteString.utf8.contains(UInt8(ascii: "?")) ? queryParameters.values(for: name) : []
  }
}

extension JSONValue {
  /// The text of a string, or the JSON text of any other value.
  var parameterText: String { string ?? String(decoding: json(), as: UTF8.self) }

  /// Returns the members of an object.
  ///
  /// Returns `nil` for any other value, and for an object with duplicate names.
  static func members(of json: [UInt8]) -> [String: JSONValue]? {
    (try? JSONValue(json: json, requiringUniqueNames: true))?.object
  }
}
