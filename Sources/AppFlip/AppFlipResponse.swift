// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import PlatformFoundation

/// A universal link of Google's app with the outcome.
///
/// Open ``url`` only as a universal link, so no browser sees the code. With UIKit,
/// `await UIApplication.shared.open(response)` does this.
public struct AppFlipResponse: Sendable, Hashable {
  /// The URL to open.
  ///
  /// It can contain the code: keep it out of logs.
  public let url: URL
  private let redirect: AppFlipRedirect

  /// - Parameters:
  ///   - fields: The parameters without the state. Forms and `URLComponents` both decode `%20` as a space.
  ///   - encodedState: The state as received, or `nil` if there was none.
  init(_ redirect: AppFlipRedirect, _ fields: FormFields, encodedState: String?) {
    let query = FormEncoding.query.encode(fields)
    // A constant origin, a percent-encoded path, and a query whose parts are percent-encoded or were part of a URL.
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

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
