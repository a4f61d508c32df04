// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import HTTPTransport
import Testing

enum Fixtures {
  static let google = AppFlipRegistration(clientID: "google-home")
  static let redirect = "https://oauth-redirect.googleusercontent.com/a/com.google.OPA"

  /// A link with its parameters as they are given, percent-encoding included.
  static func link(
    clientID: String? = "google-home", scope: String? = "email+profile", state: String? = "s1",
    redirect: String? = redirect, rest: String = ""
  ) throws -> URL {
    let parts = [("client_id", clientID), ("scope", scope), ("state", state), ("redirect_uri", redirect)]
    let query = parts.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&") + rest
    return try #require(URL(string: "https://app.example/link?\(query)", encodingInvalidCharacters: false))
  }
}

extension AppFlipResponse {
  /// The parameters as Google's app reads them.
  var fields: FormFields { FormEncoding.query.decode(url.query(percentEncoded: true) ?? "") }

  /// The target of the response, without the parameters.
  var target: String { String(url.absoluteString.prefix { $0 != "?" }) }
}

/// Everything that printing, interpolating and dumping shows.
func shown(_ value: some Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return dumped + "\(value)" + String(reflecting: value)
}
