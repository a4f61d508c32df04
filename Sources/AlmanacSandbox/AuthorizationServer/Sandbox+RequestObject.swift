// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import Timekeeping

extension Sandbox {
  /// The parameters of a signed request ([RFC 9101 § 6](https://www.rfc-editor.org/rfc/rfc9101.html#section-6)); `nil` if the
  /// request has none.
  func requestObject(
    in parameters: Parameters, _ client: Client, at server: AuthorizationServer
  ) throws(OAuthFault) -> Parameters? {
    guard let text = parameters["request"] else {
      guard !client.requiresSignedRequests else { throw .invalidRequest("The client's requests must be signed.") }
      return nil
    }
    guard let keys = client.requestObjectKeys else {
      throw OAuthFault("request_not_supported", "The client has no key for request objects.")
    }
    let invalid = OAuthFault(
      "invalid_request_object", "The request object is not signed by the client, or not good now.")
    guard let jws = try? JWS(compact: text), jws.header.type == "oauth-authz-req+jwt",
      let payload = try? jws.payload(verifiedWith: keys, allowing: JWS.Algorithm.asymmetric),
      let claims = JSONValue.members(of: payload),
      claims["iss"] == .string(client.id), claims["aud"] == .string(server.issuer),
      let expires = claims["exp"]?.number?.integer, clock.now < Timestamp(secondsSince1970: Int64(expires)),
      claims["client_id"] == .string(client.id), claims["request"] == nil, claims["request_uri"] == nil
    else { throw invalid }
    var fields = FormFields()
    for (name, value) in claims where !["iss", "aud", "exp", "iat", "nbf", "jti"].contains(name) {
      if case .array(let values) = value, name == "resource" {
        for value in values { fields.append(name, value.parameterText) }
      } else {
        fields.append(name, value.parameterText)
      }
    }
    return Parameters(FormEncoding.form.encode(fields))
  }
}
