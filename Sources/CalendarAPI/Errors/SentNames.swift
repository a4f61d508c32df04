// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// The names of a request's parameters, header fields and body fields.
///
/// A server's `location` is text that anyone may have written. It is shown only if it is one of these names.
struct SentNames {
  private let parameters: Set<String>
  private let headerFields: Set<String>
  private let body: JSONValue?

  init<Response>(_ request: CalendarRequest<Response>) {
    var parameters = Set(request.query.fields.map(\.name))
    if request.fields != nil { parameters.insert("fields") }
    if request.quotaUser != nil { parameters.insert("quotaUser") }
    self.parameters = parameters
    var headerFields: Set<String> = []
    if request.ifMatch != nil { headerFields.insert("If-Match") }
    if request.ifNoneMatch != nil { headerFields.insert("If-None-Match") }
    self.headerFields = headerFields
    if case .json(let json) = request.body { body = try? JSONValue(json: json) } else { body = nil }
  }

  /// Returns the kind of what `location` names, as a noun; `nil` if the request has nothing of this name.
  ///
  /// - Parameter location: A name, or names with periods between them for a field within another one.
  func kind(of location: String) -> String? {
    if parameters.contains(location) { return "parameter" }
    if headerFields.contains(location) { return "header field" }
    return isBodyField(location) ? "field" : nil
  }

  private func isBodyField(_ location: String) -> Bool {
    guard var value = body, location.utf8.count <= 128 else { return false }
    for name in location.split(separator: ".", omittingEmptySubsequences: false) {
      // The keys of extended properties are the caller's data; those that are no identifiers are not shown.
      guard name.isIdentifier, let next = value[String(name)] else { return false }
      value = next
    }
    return true
  }
}

extension Substring {
  fileprivate var isIdentifier: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
