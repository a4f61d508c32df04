// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The Google Cloud sandbox beside the Calendar API.
extension GoogleCloudSandbox {
  /// Responds for a server of Google Cloud that is served below this origin; `nil` for any other request.
  ///
  /// The path begins with the host, as in `/oauth2.googleapis.com/token`. The metadata server has its own paths, since clients know
  /// it by its host and port alone.
  func response(to request: HTTPRequest, path: String, log: RequestLog) async -> HTTPResponse? {
    let isProbe = path == "/" && request.fields["Metadata-Flavor"] != nil
    let base = isProbe || path.hasPrefix("/computeMetadata/") ? "http://metadata.google.internal" : "https:/"
    let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    guard let url = URL(string: base + path + query), serves(url) else { return nil }
    log.count(.googleCloud)
    let sentTo = request.url
    var request = request
    request.url = url
    return await respond(to: request, sentTo: sentTo)
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
