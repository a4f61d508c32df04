// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OpenIDConnect
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Command {
  static let whoami = Command(
    name: "whoami",
    summary: "Show the user of the account, as the verified ID token and the server tell.",
    discussion: """
      The signature of the stored ID token is checked with the server's keys, and the profile is read from the server's
      userinfo endpoint; a profile of another subject is refused. An ID token is short-lived: once it has expired, the
      profile alone tells. Identify a user by issuer and subject: an e-mail address may change hands.
      """,
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let identity = try await Identity(session)
    if context.isJSON { return try context.writeJSON(identity) }
    let profile = identity.profile
    context.terminal.write(
      rows: [("Issuer", identity.issuer), ("Subject", identity.subject)]
        + (profile?.rows.filter { $0.0 != "Subject" } ?? identity.claimRows).map { ($0.0, $0.1) } + [
          ("ID token", identity.idToken)
        ])
  }
}

/// The user of an account.
private struct Identity: Encodable {
  let issuer: String
  let subject: String
  /// Whether the ID token was verified just now, or why not.
  let idToken: String
  let idTokenVerified: Bool
  let email: String?
  let emailVerified: Bool?
  let name: String?
  let profile: UserProfile?

  var claimRows: [(String, String)] {
    [("Name", name), ("E-mail", email.map { emailVerified == true ? "\($0) (verified)" : $0 })]
      .compactMap { label, value in value.map { (label, $0) } }
  }

  /// - Throws: `OAuthError`, with code `unsupported` if neither the ID token nor the server tells.
  init(_ session: Session) async throws {
    // The record may be renewed by the request, and its ID token with it.
    let server = session.account.client.server
    profile = server.userinfoEndpoint == nil ? nil : try await session.account.profile()
    let stored = try await session.account.storedToken
    var claims: IDTokenClaims?
    if let token = stored?.idToken {
      do {
        claims = try await session.verifier.claims(
          of: token, nonce: nil, serverClockOffset: stored?.serverClockOffset ?? .zero)
        idToken = "verified, valid until \(claims?.expiresAt.description ?? "?")"
      } catch let error as OAuthError where profile != nil {
        idToken = "not accepted now: \(error.message)"
      }
    } else {
      idToken = "none is stored"
    }
    guard let subject = claims?.subject ?? profile?.subject else {
      throw OAuthError(
        .unsupported,
        "\(server.issuer) gave no ID token and has no userinfo endpoint: it does not tell who the user is.")
    }
    self.subject = subject
    issuer = claims?.issuer ?? server.issuer
    idTokenVerified = claims != nil
    email = profile?.email ?? claims?.email
    emailVerified = profile?.email != nil ? profile?.emailVerified : claims?.emailVerified
    name = profile?.name ?? claims?.name
  }
}
