// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import OAuthJOSE
import Timekeeping
import TokenStore

/// Client authentication for Apple, whose client secret is a signed JWT
/// ([creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)).
///
/// Each request gets a new secret, which is valid for five minutes. No long-lived secret has to be renewed every six months.
///
/// ```swift
/// let key = try SigningKey(pem: text, algorithm: .es256)       // the file AuthKey_….p8
/// let registration = ClientRegistration(
///   clientID: "com.example.web", authentication: .appleClientSecret(teamID: "ABCDE12345", keyID: "FGHIJ67890", key: key))
/// ```
public struct AppleClientSecret: ClientAuthentication {
  private let teamID: String
  private let keyID: String
  private let key: any JWSSigningKey

  /// Creates the method.
  ///
  /// - Parameters:
  ///   - teamID: The identifier of the developer's team.
  ///   - keyID: The identifier of the key, which is also part of its file name.
  ///   - key: The key for Sign in with Apple, for ES256.
  public init(teamID: String, keyID: String, key: some JWSSigningKey) {
    self.teamID = teamID
    self.keyID = keyID
    self.key = key
  }

  /// Adds the client's identifier and a new secret to a request.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key is not for ES256, or cannot sign.
  public func authenticate(_ request: inout TokenRequest) throws {
    guard key.algorithm == .es256 else {
      throw OAuthError(.invalidConfiguration, "Apple requires an ES256 key. Use the key for Sign in with Apple.")
    }
    let instant = { (time: Timestamp) in JSONValue.number(JSONNumber(time.secondsSince1970)) }
    let claims = JSONValue.object([
      "iss": .string(teamID), "sub": .string(request.clientID), "aud": .string(request.provider.server.issuer),
      "iat": instant(request.time), "exp": instant(request.time + .seconds(300)),
    ])
    let secret = Secret(try JWS.signed(claims, with: key, keyID: keyID))
    request.parameters["client_id"] = request.clientID
    request.parameters["client_secret"] = secret.reveal()
    request.secrets.append(secret)
  }
}

extension ClientAuthentication where Self == AppleClientSecret {
  /// Client authentication with a secret signed for each request, as Apple requires.
  public static func appleClientSecret(
    teamID: String, keyID: String, key: some JWSSigningKey
  ) -> AppleClientSecret { AppleClientSecret(teamID: teamID, keyID: keyID, key: key) }
}
