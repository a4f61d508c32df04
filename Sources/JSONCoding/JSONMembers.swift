// SPDX-License-Identifier: Apache-2.0

/// The members of an object, with their kinds checked on reading.
///
/// ```
/// let issuer = try members.required("iss", \.string)
/// let nonce = try members.optional("nonce", \.string)
/// ```
package struct JSONMembers {
  /// A missing member, or one of another kind.
  package struct Mismatch: Error {
    package let name: String
  }

  package let values: [String: JSONValue]

  package init(_ values: [String: JSONValue]) { self.values = values }

  /// Creates the members of an object, or `nil` if the value is not an object.
  package init?(_ value: JSONValue) {
    guard let values = value.object else { return nil }
    self.init(values)
  }

  /// Returns a required member.
  package func required<Value>(_ name: String, _ kind: (JSONValue) -> Value?) throws(Mismatch) -> Value {
    guard let value = try optional(name, kind) else { throw Mismatch(name: name) }
    return value
  }

  /// Returns a member, or `nil` if it is missing or `null`.
  package func optional<Value>(_ name: String, _ kind: (JSONValue) -> Value?) throws(Mismatch) -> Value? {
    guard let value = values[name], value != .null else { return nil }
    guard let value = kind(value) else { throw Mismatch(name: name) }
    return value
  }
}

extension JSONValue {
  /// The elements if all are strings, or `nil` for any other kind.
  package var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}
