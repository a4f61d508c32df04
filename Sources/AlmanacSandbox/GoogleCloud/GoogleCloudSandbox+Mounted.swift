// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

// The Google Cloud sandbox at the origin of a Calendar API sandbox.
extension GoogleCloudSandbox {
  /// Returns the response of a Google Cloud server below this origin, or `nil` for any other request.
  ///
  /// The path begins with the host, as in `/oauth2.googleapis.com/token`. The paths of the metadata server have no such prefix,
  /// because clients configure only its host and port.
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
  /// The users and the service accounts.
  ///
  /// Each has its own calendars.
  var accounts: [Sandbox.User] {
    let known = Set(users.map(\.email))
    let others = (googleCloud?.serviceAccounts ?? []).filter { !known.contains($0.email) }
    return users
      + others.map { account in
        Sandbox.User(
          subject: account.email, givenName: String(account.email.prefix { $0 != "@" }), familyName: "",
          email: account.email)
      }
  }
}
