// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// What Google requests, after everything in the link was verified.
///
/// Keep it while the user signs in and decides, then respond once, with a code or a refusal.
public struct AppFlipRequest: Sendable, Hashable {
  /// The identifier of the client that asks: the registered one.
  public let clientID: String
  /// What is requested, in the order given; empty if the link does not say.
  public let scopes: [String]
  /// Where the response goes.
  ///
  /// The code must be issued for this `redirect_uri`: Google's server names it again when it exchanges the code
  /// ([RFC 6749 § 4.1.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.3)).
  public let redirect: AppFlipRedirect
  /// The state as the link has it, percent-encoding included.
  let encodedState: String

  /// Returns the response that hands over an authorization code.
  ///
  /// - Parameter code: The code that the app's server has issued for this client, these scopes and this redirect URI. An
  ///   empty one is sent as ``AppFlipRefusal/cancelled``, so that Google goes on in the browser.
  public func response(code: String) -> AppFlipResponse {
    guard !code.isEmpty else { return refuse(.cancelled, description: "The app has no authorization code.") }
    return AppFlipResponse(redirect, ["code": code], encodedState: encodedState)
  }

  /// Returns the response that there is no code.
  ///
  /// - Parameters:
  ///   - refusal: Why; it decides how Google's app goes on.
  ///   - description: A sentence for the user, or `nil`. It travels in a URL: nothing secret belongs there.
  public func refuse(_ refusal: AppFlipRefusal, description: String? = nil) -> AppFlipResponse {
    AppFlipResponse(redirect, refusal, description: description, encodedState: encodedState)
  }
}

extension AppFlipRequest: CustomStringConvertible, CustomReflectable {
  /// Client, scopes and redirect URI, without the state.
  public var description: String { "App Flip for \(clientID), scopes \(scopes), to \(redirect)" }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["clientID": clientID, "scopes": scopes, "redirect": redirect])
  }
}
