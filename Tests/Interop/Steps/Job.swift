// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore
import OAuthJOSE
import TokenStore

/// One step; each reads the members that it needs.
struct Job: Decodable {
  let step: String
  let issuer: String?
  let client: ClientDescription?
  let scopes: [String]?
  let callback: URL?
  let token: String?
  let hint: String?
  let subject: String?
  let audience: String?
  /// A private key as a JSON Web Key.
  let key: String?
  let metadata: ClientMetadata?

  /// Returns a member that the step needs.
  func need<Value>(_ member: KeyPath<Job, Value?>) throws -> Value {
    guard let value = self[keyPath: member] else { throw StepError("The step \(step) lacks a member.") }
    return value
  }
}

/// A client as the server knows it.
struct ClientDescription: Decodable {
  let id: String
  /// The registered method of RFC 8414; none leaves the choice to the library.
  let method: String?
  let secret: String?
  /// The client's private key as a JSON Web Key.
  let key: String?
  /// Whether assertions name the token endpoint, not the issuer.
  let namesTokenEndpoint: Bool?
  let signsRequests: Bool?
  let pushesRequests: Bool?

  /// The registration for the library.
  func registration() throws -> ClientRegistration {
    var registration = ClientRegistration(clientID: id, authentication: try authentication())
    registration.requestSigning = signsRequests == true ? RequestSigning(try signingKey()) : nil
    registration.pushesAuthorizationRequests = pushesRequests == true
    return registration
  }

  private func authentication() throws -> any ClientAuthentication {
    let secret = Secret(secret ?? "")
    let audience: AssertionAudience? = namesTokenEndpoint == true ? .tokenEndpoint : nil
    switch method {
    case nil: return .clientSecret(secret)
    case "none": return .none
    case "client_secret_basic": return .clientSecretBasic(secret)
    case "client_secret_post": return .clientSecretPost(secret)
    case "client_secret_jwt": return try ClientSecretJWT(secret, audience: audience)
    case "private_key_jwt": return PrivateKeyJWT(try signingKey(), audience: audience)
    case let method?: throw StepError("The client authentication \(method) is not known.")
    }
  }

  private func signingKey() throws -> SigningKey {
    guard let key else { throw StepError("The client has no key.") }
    return try SigningKey(privateJWK: key)
  }
}

/// A job that cannot be done: a fault of the rows, not of the library.
struct StepError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
