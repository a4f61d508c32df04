// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
package import JSONCoding

/// A response of the authorization server with its parsed body.
///
/// The body is parsed once. The error, the tokens and all other members are read from the result.
package struct EndpointResponse: Sendable {
  /// The HTTP response.
  package let response: HTTPResponse
  /// The members of the body with a value, or `null` if the body has no readable members.
  ///
  /// A member is absent if it is `null` or empty (`JSONValue.isAbsent`), in the responses of all endpoints. Some
  /// servers older than the specification send a form. Its members are strings.
  package let members: JSONValue

  init(_ response: HTTPResponse, _ quirks: Provider.Quirks) {
    self.response = response
    // An error may be read from a body that is not strictly JSON; a token may not.
    let json = response.isSuccess ? try? JSONValue(json: response.body) : JSONValue(errorBody: response.body)
    let members: JSONValue =
      if let json, json.object != nil { json } else if let form = response.form(quirks) {
        .object(Dictionary(form.map { ($0.name, .string($0.value)) }) { first, _ in first })
      } else { .null }
    self.members = members.withoutAbsentMembers
  }

  /// The member with a name, or `nil` if it is absent.
  package subscript(name: String) -> JSONValue? { members[name] }
}
