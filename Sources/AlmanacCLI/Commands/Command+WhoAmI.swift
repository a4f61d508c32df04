// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OpenIDConnect
import PlatformFoundation
import Timekeeping
import TokenStore

extension Command {
  static let whoami = Command(
    name: "whoami",
    summary: "Show the account's user, from the verified ID token and the server.",
    discussion: """
      The stored ID token's signature is verified with the server's keys. The profile is read from the server's userinfo
      endpoint, and rejected if it has another subject. An ID token is short-lived: once it has expired, only the profile is
      shown. Identify users by issuer and subject: an e-mail address can change or be reassigned.
      """,
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let identity = try await Identity(session)
    if context.isJSON { return try context.writeJSON(identity) }
    var rows: [(label: String, value: String?)] = [("Issuer", identity.issuer), ("Subject", identity.subject)]
    for (label, value) in identity.profile?.rows ?? identity.claimRows where label != "Subject" {
      rows.append((label, value))
    }
    rows.append(("ID token", identity.idToken))
    context.terminal.write(rows: rows)
  }
}

/// The user of an account.
private struct Identity: Encodable {
  let issuer: String
  let subject: String
  /// The result of the ID token's verification.
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

  /// - Throws: `OAuthError`, with code `unsupported` if neither an ID token nor a profile identifies the user.
  init(_ session: Session) async throws {
    // The request can refresh the tokens, so the record is read after it.
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
        idToken = "not valid: \(error.message)"
      }
    } else {
      idToken = "not stored"
    }
    guard let subject = claims?.subject ?? profile?.subject else {
      throw OAuthError(
        .unsupported,
        "\(server.issuer) issued no ID token and has no userinfo endpoint, so the user is unknown.")
    }
    self.subject = subject
    issuer = claims?.issuer ?? server.issuer
    idTokenVerified = claims != nil
    email = profile?.email ?? claims?.email
    emailVerified = profile?.email != nil ? profile?.isEmailVerified : claims?.isEmailVerified
    name = profile?.name ?? claims?.name
  }
}
