// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The Google Cloud sandbox beside the Calendar API.
extension Sandbox {
  /// The grant of an access token that the Google Cloud sandbox has issued for an account with calendars; `nil` for any other.
  func cloudGrant(of token: String, in realm: AuthorizationServer.Realm) -> GrantStore.Grant? {
    guard realm == .google, let identity = configuration.googleCloud?.identity(ofAccessToken: token) else { return nil }
    // With domain-wide delegation a service account acts as the user.
    let user = identity.subject ?? identity.principal
    guard calendarStore.withLock({ $0.accounts[user] != nil }) else { return nil }
    return GrantStore.Grant(
      family: 0, clientID: identity.principal, user: user, scopes: identity.scopes, nonce: nil,
      authenticatedAt: clock.now)
  }

  /// Responds for a server of Google Cloud that is served below this origin; `nil` for any other request.
  ///
  /// The path begins with the host, as in `/oauth2.googleapis.com/token`. The metadata server has its own paths, since clients know
  /// it by its host and port alone.
  func cloudResponse(to request: HTTPRequest, path: String) async -> HTTPResponse? {
    guard let cloud = configuration.googleCloud else { return nil }
    let isProbe = path == "/" && request.fields["Metadata-Flavor"] != nil
    let base = isProbe || path.hasPrefix("/computeMetadata/") ? "http://metadata.google.internal" : "https:/"
    let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    guard let url = URL(string: base + path + query), cloud.serves(url) else { return nil }
    count(.googleCloud)
    let sentTo = request.url
    var request = request
    request.url = url
    return await cloud.respond(to: request, sentTo: sentTo)
  }
}

extension Sandbox.Configuration {
  /// The users, and the service accounts, each of which has calendars of its own.
  var accounts: [Sandbox.User] {
    let known = Set(users.map(\.email))
    let others = (googleCloud?.configuration.serviceAccounts ?? []).filter { !known.contains($0.email) }
    return users
      + others.map { account in
        Sandbox.User(
          subject: account.email, givenName: String(account.email.prefix { $0 != "@" }), familyName: "",
          email: account.email)
      }
  }
}
