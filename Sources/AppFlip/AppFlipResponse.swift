// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A universal link of Google's app with the outcome in it.
///
/// Open ``url`` as a universal link and nothing else, so that no browser gets to see the code; with UIKit,
/// `await UIApplication.shared.open(response)` does so.
public struct AppFlipResponse: Sendable, Hashable {
  /// The URL to open.
  ///
  /// It may hold the code: keep it out of logs.
  public let url: URL
  private let redirect: AppFlipRedirect

  /// - Parameters:
  ///   - fields: The parameters but for the state. `%20` for a space is read alike by forms and by `URLComponents`.
  ///   - encodedState: The state as it came, or `nil` if none did.
  init(_ redirect: AppFlipRedirect, _ fields: FormFields, encodedState: String?) {
    let query = FormEncoding.query.encode(fields)
    // A constant origin, a percent-encoded path, and a query of which each part is percent-encoded or was part of a URL.
    guard let url = URL(string: redirect.uri + "?" + query + (encodedState.map { "&state=" + $0 } ?? "")) else {
      preconditionFailure("A redirect URI with a percent-encoded query is a URL.")
    }
    self.url = url
    self.redirect = redirect
  }

  init(_ redirect: AppFlipRedirect, _ refusal: AppFlipRefusal, description: String?, encodedState: String?) {
    var fields: FormFields = ["error": refusal.rawValue]
    if let description, !description.isEmpty { fields["error_description"] = description }
    self.init(redirect, fields, encodedState: encodedState)
  }
}

extension AppFlipResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL without its query.
  public var description: String { "\(redirect.uri)?…" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
