// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import PlatformFoundation
import Timekeeping
import TokenStore

extension AuthorizationServer {
  /// Authenticates the client of a request
  /// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
  func authenticatedClient(
    _ request: HTTPRequest, _ form: Parameters, at server: ServerProfile
  ) throws(OAuthFault) -> Client {
    let basic = try basicCredentials(of: request)
    let ways = [basic != nil, form["client_secret"] != nil, form["client_assertion"] != nil]
    guard ways.count(where: \.self) <= 1 else { throw .invalidRequest("Use one method of client authentication only.") }
    guard basic == nil || form["client_id"] == nil || form["client_id"] == basic?.id else {
      throw .invalidRequest("client_id differs from the one in the Authorization field.")
    }
    let asserted = try form["client_assertion"].map { (text) throws(OAuthFault) in
      try assertedClient(text, request, form, at: server)
    }
    guard let id = basic?.id ?? asserted?.id ?? form["client_id"] else {
      throw .invalidClient("The request does not identify a client.")
    }
    guard let client = server.clients.first(where: { $0.id == id }) else { throw .unproved }
    let isBare = !ways.contains(true)
    let proved =
      switch client.authentication {
      case .none: isBare
      case .clientSecretPost(let secret): basic == nil && form["client_secret"].map(Secret.init) == secret
      case .clientSecretBasic(let secret): basic.map { Secret($0.secret) } == secret
      case .clientSecret(let secret): (basic?.secret ?? form["client_secret"]).map(Secret.init) == secret
      case .clientSecretJWT, .privateKeyJWT: asserted != nil
      case .tlsClientCertificate(let certificate): isBare && request.clientCertificate == certificate
      }
    guard proved else { throw .unproved }
    return client
  }

  /// Returns the client that signed an assertion ([RFC 7523 § 3](https://www.rfc-editor.org/rfc/rfc7523.html#section-3)).
  private func assertedClient(
    _ text: String, _ request: HTTPRequest, _ form: Parameters, at server: ServerProfile
  ) throws(OAuthFault) -> Client {
    guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
      throw .invalidRequest("client_assertion_type is missing or unknown.")
    }
    let names = [server.issuer, server.tokenEndpoint, request.url.absoluteString]
    guard let jws = try? JWS(compact: text) else { throw .unproved }
    for client in server.clients where form["client_id"] == nil || form["client_id"] == client.id {
      guard let assertion = client.assertion(in: jws), assertion.issuer == client.id, assertion.subject == client.id
      else { continue }
      guard assertion.isValid(at: clock.now, for: names), isFirstUse(of: assertion, at: server) else { break }
      return client
    }
    throw .unproved
  }

  private func formDecoded(_ text: Substring) -> String { FormEncoding.form.decodeComponent(Array(text.utf8).span) }

  private func basicCredentials(of request: HTTPRequest) throws(OAuthFault) -> (id: String, secret: String)? {
    let values = request.fields.values(for: "Authorization")
    guard let value = values.first else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard values.count == 1, parts.count == 2, parts[0].lowercasedASCII == "basic",
      let bytes = Data(base64Encoded: String(parts[1])), let text = String(validating: bytes, as: UTF8.self)
    else { throw .invalidClient("The Authorization field does not contain Basic credentials.") }
    let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2 else { throw .invalidClient("The Authorization field does not contain Basic credentials.") }
    // RFC 6749 § 2.3.1: both parts are form-encoded before they are joined.
    return (formDecoded(pair[0]), formDecoded(pair[1]))
  }
}

extension Sandbox.Client {
  /// Returns the claims of an assertion if this client signed it.
  fileprivate func assertion(in jws: JWS) -> Assertion? {
    switch authentication {
    case .clientSecretJWT(let secret):
      guard let key = try? ClientSecretKey(secret.reveal()) else { return nil }
      return (try? jws.payload(verifiedWith: key)).flatMap { Assertion($0) }
    case .privateKeyJWT(let keys):
      return (try? jws.payload(verifiedWith: keys, allowing: JWS.Algorithm.asymmetric)).flatMap { Assertion($0) }
    default: return nil
    }
  }
}

extension HTTPRequest {
  /// The client's certificate, as a proxy forwards it
  /// ([RFC 9440 § 2.2](https://www.rfc-editor.org/rfc/rfc9440.html#section-2.2)).
  fileprivate var clientCertificate: [UInt8]? {
    guard let value = fields["Client-Cert"], value.hasPrefix(":"), value.hasSuffix(":") else { return nil }
    return Data(base64Encoded: String(value.dropFirst().dropLast())).map(Array.init)
  }
}

extension OAuthFault {
  fileprivate static var unproved: OAuthFault {
    .invalidClient("The client is unknown or failed to authenticate.")
  }
}
