// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OAuthJOSE
import TokenStore

/// A client as the server knows it.
struct ClientDescription: Decodable {
  /// A registered method of client authentication ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)).
  enum Method: String, Decodable {
    case none
    case clientSecretBasic = "client_secret_basic"
    case clientSecretPost = "client_secret_post"
    case clientSecretJWT = "client_secret_jwt"
    case privateKeyJWT = "private_key_jwt"
  }

  let id: String
  /// The client authentication; `nil` leaves the choice to the library.
  let method: Method?
  let secret: String?
  /// The client's private key as a JSON Web Key.
  let key: String?
  /// Whether assertions name the token endpoint, not the issuer.
  let namesTokenEndpoint: Bool?
  let signsRequests: Bool?
  let pushesRequests: Bool?

  /// Returns the registration for the library.
  func registration() throws -> ClientRegistration {
    var registration = ClientRegistration(clientID: id, authentication: try authentication())
    registration.requestSigning = signsRequests == true ? RequestSigning(try signingKey()) : nil
    registration.pushesAuthorizationRequests = pushesRequests == true
    return registration
  }

  private func authentication() throws -> any ClientAuthentication {
    let audience: AssertionAudience? = namesTokenEndpoint == true ? .tokenEndpoint : nil
    return switch method {
    case nil: .clientSecret(try clientSecret())
    case .some(.none): .none
    case .clientSecretBasic: .clientSecretBasic(try clientSecret())
    case .clientSecretPost: .clientSecretPost(try clientSecret())
    case .clientSecretJWT: try ClientSecretJWT(clientSecret(), audience: audience)
    case .privateKeyJWT: PrivateKeyJWT(try signingKey(), audience: audience)
    }
  }

  private func clientSecret() throws -> Secret {
    guard let secret else { throw StepError("The client has no secret.") }
    return Secret(secret)
  }

  private func signingKey() throws -> SigningKey {
    guard let key else { throw StepError("The client has no key.") }
    return try SigningKey(privateJWK: key)
  }
}
