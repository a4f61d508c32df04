// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
package import JSONCoding

/// A response of the authorization server with its parsed body.
///
/// The body is parsed once; the error, the tokens and all other members are read from the same value.
package struct EndpointResponse: Sendable {
  /// The HTTP response.
  package let response: HTTPResponse
  /// The members of the body; `null` if it has none.
  ///
  /// Some servers that predate the specification send a form. Its members are strings.
  package let members: JSONValue

  init(_ response: HTTPResponse, _ quirks: Provider.Quirks) {
    self.response = response
    // RFC 8259 § 8.1: a parser may ignore a byte order mark.
    let hasMark = response.body.starts(with: [0xEF, 0xBB, 0xBF])
    let json = try? JSONValue(json: hasMark ? Array(response.body.dropFirst(3)) : response.body)
    members =
      if let json, json.object != nil { json } else if let form = response.form(quirks) {
        .object(Dictionary(form.map { ($0.name, .string($0.value)) }) { first, _ in first })
      } else { .null }
  }

  /// The member with a name; `nil` if there is none.
  package subscript(name: String) -> JSONValue? { members[name] }
}
