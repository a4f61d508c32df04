// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  /// Finds out which client sends a token or revocation request
  /// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
  func authenticatedClient(
    _ request: HTTPRequest, _ form: Parameters, at server: AuthorizationServer
  ) throws(OAuthFault) -> Client {
    let basic = try basicCredentials(of: request)
    guard basic == nil || form["client_secret"] == nil else {
      throw .invalidRequest("A client authenticates in one way only.")
    }
    guard basic == nil || form["client_id"] == nil || form["client_id"] == basic?.id else {
      throw .invalidRequest("client_id differs from the one in the Authorization field.")
    }
    guard let id = basic?.id ?? form["client_id"] else { throw .invalidClient("The client does not say who it is.") }
    guard let client = server.clients.first(where: { $0.id == id }) else {
      throw .invalidClient("The client is not known or has not proved to be itself.")
    }
    let proved =
      switch client.authentication {
      case .none: basic == nil && form["client_secret"] == nil
      case .clientSecretPost(let secret): basic == nil && form["client_secret"].map(Secret.init) == secret
      case .clientSecretBasic(let secret): basic.map { Secret($0.secret) } == secret
      case .clientSecret(let secret): (basic?.secret ?? form["client_secret"]).map(Secret.init) == secret
      }
    guard proved else { throw .invalidClient("The client is not known or has not proved to be itself.") }
    return client
  }

  private func formDecoded(_ text: Substring) -> String { FormEncoding.form.decodeComponent(Array(text.utf8).span) }

  private func basicCredentials(of request: HTTPRequest) throws(OAuthFault) -> (id: String, secret: String)? {
    let values = request.fields.values(for: "Authorization")
    guard let value = values.first else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard values.count == 1, parts.count == 2, parts[0].lowercasedASCII == "basic",
      let bytes = Data(base64Encoded: String(parts[1])), let text = String(validating: bytes, as: UTF8.self)
    else { throw .invalidClient("The Authorization field does not hold Basic credentials.") }
    let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2 else { throw .invalidClient("The Authorization field does not hold Basic credentials.") }
    // RFC 6749 § 2.3.1: both are form-encoded before they are joined.
    return (formDecoded(pair[0]), formDecoded(pair[1]))
  }
}
