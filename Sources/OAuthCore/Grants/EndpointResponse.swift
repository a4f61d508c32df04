// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
package import JSONCoding
import PlatformFoundation
import Support
import TokenStore

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

extension HTTPResponse {
  /// Returns the body decoded as a form, or `nil` if neither the `Content-Type` nor the provider's quirks indicate a form.
  fileprivate func form(_ quirks: Provider.Quirks) -> FormFields? {
    let type = fields["Content-Type"]?.split(ascii: ";").first?.lowercased().filter { $0 != " " }
    guard quirks.sendsTokensAsForm || type == "application/x-www-form-urlencoded" else { return nil }
    return FormEncoding.form.decode(String(decoding: ByteOrderMark.dropped(from: body), as: UTF8.self))
  }
}

/// An error of a token or revocation endpoint ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
private struct ErrorResponse {
  let error: String
  let description: String?

  /// Creates a value from a response, or returns `nil` if the response is not an OAuth error.
  init?(_ response: EndpointResponse, _ quirks: Provider.Quirks) {
    // A successful response with a token is not an error. A response with an error can contain an empty token.
    guard !response.response.isSuccess || response["access_token"]?.string == nil else { return nil }
    if let places = quirks.errorMembers, let code = response.members.text(at: places.code) {
      error = code
      description = response.members.text(at: places.description)
    } else if let code = response["error"]?.string {
      error = code
      description = response["error_description"]?.string
    } else {
      return nil
    }
  }
}

extension JSONValue {
  /// Returns the string or number at a path of member names, or `nil` if there is none.
  ///
  /// The number 0 is not an error code.
  fileprivate func text(at names: [String]) -> String? {
    let value = names.reduce(Optional(self)) { $0?[$1] }
    return value?.string ?? value?.number.flatMap { $0.integer == 0 ? nil : $0.text }
  }
}

extension EndpointResponse {
  /// Returns the error of a response with any status and content, or `nil` for a success.
  func oauthError(from endpoint: URL, _ quirks: Provider.Quirks, hiding secrets: [Secret]) -> OAuthError? {
    let errorResponse = ErrorResponse(self, quirks)
    // Some servers, such as GitHub, send their errors with status 200.
    guard !response.isSuccess || errorResponse != nil else { return nil }
    return OAuthError(
      errorResponse, status: response.status, from: endpoint, quirks, hiding: secrets.map { $0.reveal() })
  }
}

extension HTTPResponse {
  /// Whether the server rejected the request without a reason, as some servers do for an unknown refresh token.
  var isBareRefusal: Bool { [400, 401, 403].contains(status) && body.allSatisfy(\.isWhitespace) }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension OAuthError {
  func isRefusedGrant(_ quirks: Provider.Quirks) -> Bool {
    guard code == .requestRejected, let serverCode else { return false }
    return ServerErrorCode.refusedGrants.contains(serverCode)
      || quirks.refusedGrantErrors.contains { $0 == serverCode || serverDescription?.hasPrefix($0) == true }
  }

  /// Creates the error of a token or revocation endpoint, for any status and content.
  fileprivate init(
    _ errorResponse: ErrorResponse?, status: Int, from endpoint: URL, _ quirks: Provider.Quirks,
    hiding secrets: [String]
  ) {
    let description = errorResponse?.description
    let server = Origin(endpoint)?.description ?? "The authorization server"
    let unavailable = "\(server) is temporarily unavailable (status \(status)). Try again later."
    switch errorResponse?.error {
    case "temporarily_unavailable", "server_error", "slow_down":
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case let code
    where HTTPResponse(status: status).isTransientFailure || code.map(quirks.transientErrors.contains) == true:
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case let code? where ServerErrorCode.refusedClients.contains(code):
      self.init(
        .requestRejected, "\(server) does not accept this client. Check its identifier, secret and authentication.",
        serverCode: code, serverDescription: description, hiding: secrets)
    case let code?:
      self.init(
        .requestRejected, Self.withAdvice("\(server) refused the request", for: code), serverCode: code,
        serverDescription: description,
        hiding: secrets)
    case nil:
      self.init(unexplained: status, from: server)
    }
  }
}
