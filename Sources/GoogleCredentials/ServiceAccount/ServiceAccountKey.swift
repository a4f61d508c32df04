// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The private key of a service account, as the file that the Google Cloud console downloads holds it
/// ([service account keys](https://cloud.google.com/iam/docs/keys-create-delete)).
public struct ServiceAccountKey: Sendable {
  /// The account's e-mail address.
  public let email: String
  /// The project that the account belongs to.
  public let projectID: String?
  /// The account's numeric identifier, by which a domain's administrator names it.
  public let clientID: String?
  /// The identifier of the key, `kid`.
  public let keyID: String?

  let key: SigningKey
  let tokenEndpoint: URL
  let universe: String

  /// Reads the content of a file.
  ///
  /// - Parameters:
  ///   - json: The content.
  ///   - environment: Its `GOOGLE_CLOUD_UNIVERSE_DOMAIN` says which cloud the file may be for.
  /// - Throws: ``GoogleCredentialError``, which names the member that is wrong.
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
    do throws(JOSEError) {
      key = try SigningKey(pem: document.pem("private_key"), algorithm: .rs256, keyID: keyID)
    } catch {
      throw document.error(.malformed, "private_key", "cannot be used: \(error.message)")
    }
  }
}

extension CredentialDocument {
  /// The text of a key; an empty one if it is missing, which no key is.
  fileprivate func pem(_ member: String) -> String { (try? string(member)) ?? "" }
}

extension ServiceAccountKey: CustomStringConvertible, CustomReflectable {
  /// The account's e-mail address.
  public var description: String { email }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["email": email, "keyID": keyID ?? ""]) }
}

extension GoogleCredential {
  /// Returns the credential of a service account.
  ///
  /// - Parameters:
  ///   - key: The account's key.
  ///   - scopes: The scopes of the access tokens.
  ///   - subject: The user on whose behalf the account acts, by e-mail address, if the user's administrator allows it
  ///     ([domain-wide delegation](https://developers.google.com/identity/protocols/oauth2/service-account#delegatingauthority));
  ///     `nil` for the account itself.
  ///   - selfSigned: Whether the access tokens are signed here instead of being requested
  ///     ([AIP-4111](https://google.aip.dev/auth/4111)): without a request, accepted by most of Google's APIs, but not by all.
  ///     It has no effect where there is a subject. Defaults to `false`.
  ///   - environment: What requests go through.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported`` for a subject in another cloud than
  ///   Google's public one.
  public static func serviceAccount(
    _ key: ServiceAccountKey, scopes: [String], subject: String? = nil, selfSigned: Bool = false,
    in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    GoogleCredential(
      try ServiceAccountMethod(key: key, subject: subject, selfSigns: selfSigned, environment: environment),
      at: .program, scopes: scopes, in: environment)
  }
}
