// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Timekeeping
import TokenStore

/// The Security Token Service ([method: token](https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token)).
extension GoogleCloudSandbox {
  func exchangeResponse(to request: HTTPRequest) async -> HTTPResponse {
    await formResponse(to: request) { try exchange($0, request) }
  }

  /// Returns the response to a workforce user's refresh.
  func workforceResponse(to request: HTTPRequest) async -> HTTPResponse {
    await formResponse(to: request) { form in
      guard form["grant_type"] == "refresh_token" else {
        throw OAuthFault("unsupported_grant_type", "Invalid grant_type.")
      }
      let users = configuration.users.filter { $0.identityProvider != nil }
      guard
        let user = users.first(where: {
          request.fields["Authorization"] == Self.basic($0.clientID, $0.clientSecret)
        })
      else { throw OAuthFault.invalidClient("The OAuth client was not found.") }
      return try refresh(form, clientID: user.clientID, secret: user.clientSecret.reveal(), of: users)
    }
  }

  private static func basic(_ id: String, _ secret: Secret?) -> String {
    "Basic " + Data("\(id):\(secret?.reveal() ?? "")".utf8).base64EncodedString()
  }

  private func exchange(_ form: Parameters, _ request: HTTPRequest) throws(OAuthFault) -> [String: JSONValue] {
    guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange" else {
      throw OAuthFault("unsupported_grant_type", "Invalid grant_type.")
    }
    let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    guard form["requested_token_type"] == accessToken else { throw .invalidRequest("Invalid requested_token_type.") }
    guard let provider = configuration.identityProviders.first(where: { $0.audience == form["audience"] }) else {
      throw OAuthFault("invalid_target", "The target service indicated by the \"audience\" parameters is invalid.")
    }
    try checkClient(of: provider, form, request)
    let types = ["jwt", "id_token"].map { "urn:ietf:params:oauth:token-type:" + $0 }
    let aws = "urn:ietf:params:aws:token-type:aws4_request"
    let mtls = "urn:ietf:params:oauth:token-type:mtls"
    guard let type = form["subject_token_type"], (types + [aws, mtls]).contains(type), let token = form["subject_token"]
    else {
      throw .invalidRequest("Invalid subject_token or subject_token_type.")
    }
    let subject =
      switch type {
      case aws: subject(ofSignedRequest: token, at: provider)
      case mtls: subject(ofChain: token, on: request, at: provider)
      default: subject(of: token, at: provider)
      }
    guard let subject else {
      throw .invalidGrant("The given credential is rejected by the attribute condition or its signature.")
    }
    let scopes = form["scope"].map { [Scope](parameter: $0) } ?? []
    guard !scopes.isEmpty else { throw .invalidScope("The scope is missing.") }
    let members = issue(principal: Self.principal(subject, at: provider.audience), scopes: scopes)
    return members.merging(["issued_token_type": .string(accessToken)]) { $1 }
  }

  /// Returns the principal identifier of a workload or workforce user.
  ///
  /// - Parameter provider: The name of the pool's provider.
  static func principal(_ subject: String, at provider: String) -> String {
    let pool = provider.components(separatedBy: "/providers/")[0]
    return "principal:\(pool)/subject/\(subject)"
  }

  private func checkClient(
    of provider: IdentityProvider, _ form: Parameters, _ request: HTTPRequest
  ) throws(OAuthFault) {
    let expected = provider.clientID.map { Self.basic($0, provider.clientSecret) }
    guard request.fields["Authorization"] == expected else { throw .invalidClient("The client is unknown.") }
    // A workforce user's project is determined by the client or by the options.
    guard provider.audience.contains("/workforcePools/"), provider.clientID == nil else { return }
    // The value is percent-encoded in addition to the form encoding.
    let text = form["options"].map { FormEncoding.query.decodeComponent(Array($0.utf8).span) }
    guard let options = text.flatMap({ JSONValue.members(of: Array($0.utf8)) }),
      options["userProject"]?.string?.isEmpty == false
    else { throw .invalidRequest("The userProject option is required for workforce identity pools.") }
  }

  /// Returns the subject of a certificate chain whose first certificate the connection presented
  /// ([RFC 9440 § 2.2](https://www.rfc-editor.org/rfc/rfc9440.html#section-2.2)).
  private func subject(ofChain token: String, on request: HTTPRequest, at provider: IdentityProvider) -> String? {
    guard let leaf = (try? JSONValue(json: Array(token.utf8)))?.strings?.first,
      request.fields["Client-Cert"] == ":\(leaf):", Origin(request.url)?.host == "sts.mtls.googleapis.com"
    else { return nil }
    return provider.certificates[leaf]
  }

  private func subject(of token: String, at provider: IdentityProvider) -> String? {
    guard let jws = try? JWS(compact: token),
      let payload = try? jws.payload(verifiedWith: provider.keys, allowing: JWS.Algorithm.asymmetric),
      let claims = JSONValue.members(of: payload), claims["iss"] == .string(provider.issuer),
      let expires = claims["exp"]?.number?.integer, clock.now < Timestamp(secondsSince1970: Int64(expires))
    else { return nil }
    return claims["sub"]?.string
  }
}
