// SPDX-License-Identifier: Apache-2.0

import AppFlip
import HTTPTransport
import JSONCoding
import OAuthJOSE
import Support
import Synchronization
import Timekeeping

struct PushedRequest: Sendable {
  let clientID: String
  let parameters: Parameters

  static let prefix = "urn:ietf:params:oauth:request_uri:"
}

extension AuthorizationServer {
  /// Handles a request to the pushed authorization request endpoint
  /// ([RFC 9126 § 2](https://www.rfc-editor.org/rfc/rfc9126.html#section-2)).
  func pushedResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try checkedForm(of: request)
      let client = try authenticatedClient(request, form, at: server)
      // § 2.1: a pushed request must not contain request_uri.
      guard form["request_uri"] == nil else { throw .invalidRequest("request_uri cannot be pushed.") }
      var parameters = try requestObject(in: form, client, at: server) ?? form
      // RFC 9449 § 10.1.
      if let keyThumbprint = try provenKey(of: request) {
        guard parameters["dpop_jkt"] ?? keyThumbprint == keyThumbprint else {
          throw .invalidProof("dpop_jkt is not the thumbprint of the proof's key.")
        }
        parameters.set("dpop_jkt", keyThumbprint)
      }
      guard parameters["client_id"] == nil || parameters["client_id"] == client.id else {
        throw .invalidRequest("client_id differs from the authenticated client.")
      }
      guard let redirectURI = parameters["redirect_uri"], client.accepts(redirectURI: redirectURI) else {
        throw .invalidRequest("redirect_uri is not registered for the client.")
      }
      _ = try checkedRequest(parameters, client, redirectURI, .notAppFlip, at: server)
      let (uri, now, lifetime) = (PushedRequest.prefix + randomToken(), clock.now, Duration.seconds(60))
      state.withLock { [parameters] in
        $0.issued[server.realm, default: .init()].pushed.add(
          .init(clientID: client.id, parameters: parameters), for: uri, until: now + lifetime, now: now)
      }
      return .json(
        ["request_uri": .string(uri), "expires_in": .integer(lifetime.components.seconds)], status: 201)
    } catch {
      return .oauthError(error)
    }
  }

  /// Returns the parameters of an authorization request, and whether they were pushed and signed.
  ///
  /// - Throws: A fault shown to the user without a redirect.
  func resolved(
    _ parameters: Parameters, at server: ServerProfile
  ) throws(OAuthFault) -> (parameters: Parameters, isPushed: Bool, isSigned: Bool) {
    guard let id = parameters["client_id"], let client = server.clients.first(where: { $0.id == id }) else {
      return (parameters, false, false)
    }
    if let uri = parameters["request_uri"], uri.hasPrefix(PushedRequest.prefix) {
      let now = clock.now
      let found = state.withLock {
        $0.issued[server.realm, default: .init()].pushed.take(uri, now: now) { $0.clientID == id }
      }
      guard let found else {
        throw OAuthFault("invalid_request_uri", "The pushed request is unknown, was used, or has expired.")
      }
      return (found.parameters, true, true)
    }
    if client.requestKeys != nil, let object = try requestObject(in: parameters, client, at: server) {
      return (object, false, true)
    }
    return (parameters, false, false)
  }
}

extension AuthorizationServer {
  /// Returns the parameters of a signed request object
  /// ([RFC 9101 § 6](https://www.rfc-editor.org/rfc/rfc9101.html#section-6)), or `nil` if the request has none.
  func requestObject(
    in parameters: Parameters, _ client: Client, at server: ServerProfile
  ) throws(OAuthFault) -> Parameters? {
    guard let text = parameters["request"] else {
      guard !client.requiresSignedRequests else { throw .invalidRequest("The client's requests must be signed.") }
      return nil
    }
    guard let keys = client.requestKeys else {
      throw OAuthFault("request_not_supported", "The client has no key for request objects.")
    }
    let invalid = OAuthFault(
      "invalid_request_object", "The request object is not signed by the client or has invalid claims.")
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
