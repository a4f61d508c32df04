// SPDX-License-Identifier: Apache-2.0

import JSONCoding
public import OAuthScope
public import Timekeeping

/// The stored record of one account: the access token and everything needed to replace it.
///
/// A storage keeps it in its documented, versioned ``StoredToken/encode(to:)`` form.
public struct StoredToken: Sendable, Hashable {
  /// The access token.
  public var accessToken: Secret
  /// The type of the access token ([RFC 6749 § 7.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-7.1)), such as
  /// `Bearer`, in the server's spelling.
  public var tokenType = "Bearer"
  /// The instant when the access token expires, by the server's clock, or `nil` if the server omitted the lifetime.
  public var expiresAt: Timestamp?
  /// The instant when the access token was issued, by the server's clock, or `nil` if unknown.
  public var issuedAt: Timestamp?
  /// The time by which the server's clock was ahead of this machine's when the token was issued.
  public var serverClockOffset = Duration.zero
  /// The refresh token, or `nil` if the server issued none.
  public var refreshToken: Secret?
  /// The granted scopes, possibly fewer than those requested.
  public var scopes: [Scope]
  /// The scopes requested at sign-in, whether granted or not, or `nil` if unknown, as for a record of an earlier
  /// release.
  public var requestedScopes: [Scope]?
  /// The OpenID Connect ID token as received.
  public var idToken: Secret?
  /// The issuer of the tokens, or `nil` if unknown.
  ///
  /// The refresh token may be sent only to the issuer's token endpoint. A client therefore rejects tokens of another issuer, and
  /// tokens without an issuer.
  public var issuer: String?
  /// The identifier of the client the tokens were issued to, or `nil` if unknown.
  ///
  /// A client rejects tokens of another client, and tokens without a client identifier.
  public var clientID: String?
  /// The URIs of the services the access token is for, which a refresh requests again
  /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)), or empty if none were requested.
  public var resources: [String] = []
  /// The granted authorization details, as JSON text
  /// ([RFC 9396 § 7](https://www.rfc-editor.org/rfc/rfc9396.html#section-7)), or `nil` if the server returned none.
  public var authorizationDetails: String?
  /// The key that the tokens are bound to ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)), or `nil` for
  /// bearer tokens.
  public var proofKey: ProofKey?
  /// The sealed form of a record, which replaces all of its other members, or `nil` for a record in plain text.
  ///
  /// `SealedTokenStorage` (module TokenStoreSealed) passes such a record to its wrapped storage, whose reads throw
  /// ``TokenStorageError/Code/sealed``. Its access token is empty, and its other members have their defaults.
  public package(set) var sealed: String?

  /// Creates a record.
  ///
  /// ```swift
  /// let token = StoredToken(accessToken: Secret("a"), scopes: ["openid"]) { $0.idToken = Secret("i") }
  /// ```
  ///
  /// - Parameters:
  ///   - accessToken: The access token.
  ///   - expiresAt: The instant when the access token expires, by the server's clock.
  ///   - refreshToken: The refresh token.
  ///   - scopes: The granted scopes.
  ///   - issuer: The issuer of the tokens.
  ///   - clientID: The identifier of the client the tokens were issued to.
  ///   - change: A closure that sets the other members.
  public init(
    accessToken: Secret, expiresAt: Timestamp? = nil, refreshToken: Secret? = nil, scopes: [Scope] = [],
    issuer: String? = nil, clientID: String? = nil, _ change: (inout StoredToken) -> Void = { _ in }
  ) {
    self.accessToken = accessToken
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
    self.scopes = scopes
    self.issuer = issuer
    self.clientID = clientID
    change(&self)
  }

  /// Creates a record from its sealed form.
  package init(sealed: String) {
    self.init(accessToken: Secret(""))
    self.sealed = sealed
  }

  /// Returns the record itself, unless it is sealed.
  ///
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/sealed``.
  package func unsealed() throws(TokenStorageError) -> StoredToken {
    if let sealed { throw TokenStorageError(sealed: sealed) }
    return self
  }
}

extension StoredToken {
  /// The credential replaced by a renewal: the refresh token, or the access token if there is none.
  package var spentCredential: Secret { refreshToken ?? accessToken }
}

extension StoredToken: Codable {
  /// The newest version of the format supported by this release.
  ///
  /// A record is written in the oldest version with all of its members, so earlier releases can read it too.
  public static let formatVersion = 3

  /// The version of the format with sealed records.
  package static let sealedVersion = 3

  /// Encodes the record as one object.
  ///
  /// Unless the record is sealed, its secrets are unencrypted: keep the encoded form as safe as the secrets themselves.
  ///
  /// A custom storage stores the output of a `JSONEncoder`. Its members, as JSON:
  ///
  /// | Member | Value | |
  /// |---|---|---|
  /// | `version` | 1, or 2 with a `proofKey` | |
  /// | `accessToken` | string | |
  /// | `tokenType` | string, such as `Bearer` | |
  /// | `scopes` | array of strings | |
  /// | `serverClockOffset` | `{"seconds": …, "attoseconds": …}`, whole numbers of the same sign | |
  /// | `expiresAt`, `issuedAt` | `{"seconds": …, "nanoseconds": …}`: whole seconds since 1970-01-01T00:00:00Z, rounded towards the past, and 0 to 999,999,999 nanoseconds after them | optional |
  /// | `refreshToken`, `idToken`, `issuer`, `clientID`, `authorizationDetails` | string | optional |
  /// | `requestedScopes`, `resources` | array of strings | optional |
  /// | `proofKey` | `{"algorithm": …, "privateKey": …}`, strings | optional |
  ///
  /// A sealed record has two members: `version`, which is 3, and `sealed`, a string. A release without support for
  /// sealed records therefore treats it as a record of a newer release, and leaves it unchanged.
  ///
  /// A later release may add members, which this release ignores. A change that this release could not ignore increases
  /// `version`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Decodes a record in plain text.
  ///
  /// - Throws: ``TokenStorageError`` if the record must be left unchanged: with code ``TokenStorageError/Code/newerFormat`` if a
  ///   newer release wrote it, and with code ``TokenStorageError/Code/sealed`` if it is sealed. `DecodingError` if it is damaged.
  public init(from decoder: any Decoder) throws {
    do {
      try self.init(json: JSONValue(from: decoder))
    } catch let error as JSONMembers.Mismatch {
      throw DecodingError(error, at: decoder.codingPath)
    }
  }
}
