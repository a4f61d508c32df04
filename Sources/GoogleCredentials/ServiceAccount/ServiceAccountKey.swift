// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
public import OAuthScope
import PlatformFoundation

/// The private key of a service account, as in the file downloaded from the Google Cloud console
/// ([service account keys](https://cloud.google.com/iam/docs/keys-create-delete)).
public struct ServiceAccountKey: Sendable {
  /// The account's e-mail address.
  public let email: String
  /// The identifier of the account's project.
  public let projectID: String?
  /// The account's numeric identifier, by which an administrator permits domain-wide delegation.
  public let clientID: String?
  /// The identifier of the key, `kid`.
  public let keyID: String?

  let key: SigningKey
  let tokenEndpoint: URL
  let universe: String

  /// Parses the content of a file.
  ///
  /// - Parameters:
  ///   - json: The content.
  ///   - environment: The environment whose `GOOGLE_CLOUD_UNIVERSE_DOMAIN` names the cloud that the file must be for.
  /// - Throws: ``GoogleCredentialError``, which names the faulty member.
  public init(json: [UInt8], in environment: CredentialEnvironment) throws {
    try self.init(CredentialDocument(json: json, file: nil), environment)
  }

  init(_ document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    email = try document.string("client_email")
    projectID = try document.optionalString("project_id")
    clientID = try document.optionalString("client_id")
    keyID = try document.optionalString("private_key_id")
    universe = try document.universe(expecting: environment.universe)
    let tokenEndpoint = try document.optionalURL("token_uri") ?? URL(literal: "https://oauth2.googleapis.com/token")
    guard GoogleHost.isTokenEndpoint(tokenEndpoint, in: universe) else {
      throw document.untrusted("token_uri", expecting: "https://oauth2.googleapis.com/token")
    }
    self.tokenEndpoint = tokenEndpoint
    let pem = try document.string("private_key")
    do throws(JOSEError) {
      key = try SigningKey(pem: pem, algorithm: .rs256, keyID: keyID)
    } catch {
      throw document.error(.malformed, "private_key", "cannot be used: \(error.message)")
    }
  }
}

extension ServiceAccountKey: CustomStringConvertible, CustomReflectable {
  /// The account's e-mail address.
  public var description: String { email }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["email": email, "keyID": keyID ?? ""]) }
}

extension GoogleCredential {
  /// Returns the credential of a service account.
  ///
  /// - Parameters:
  ///   - key: The account's key.
  ///   - scopes: The scopes of the access tokens.
  ///   - subject: The user on whose behalf the account acts, by e-mail address, if the user's administrator allows it
  ///     ([domain-wide
  ///     delegation](https://developers.google.com/identity/protocols/oauth2/service-account#delegatingauthority)),
  ///     or `nil` for the account itself.
  ///   - selfSigned: Whether the credential signs access tokens with the key instead of requesting them
  ///     ([AIP-4111](https://google.aip.dev/auth/4111)). Most, but not all, of Google's APIs accept such tokens. Has no effect
  ///     with a subject. Defaults to `false`.
  ///   - environment: The environment for requests.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported`` for a subject outside Google's
  ///   public cloud.
  public static func serviceAccount(
    _ key: ServiceAccountKey, scopes: [Scope], subject: String? = nil, selfSigned: Bool = false,
    in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    GoogleCredential(
      try ServiceAccountMethod(key: key, subject: subject, selfSigns: selfSigned, environment: environment),
      at: .program, scopes: scopes, in: environment)
  }
}
