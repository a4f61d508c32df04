// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
import PlatformFoundation

/// Google's request, after the whole link was verified.
///
/// Keep it while the user signs in and decides. Then respond once, with a code or a refusal.
public struct AppFlipRequest: Sendable, Hashable {
  /// The identifier of the requesting client: the registered one.
  public let clientID: String
  /// The requested scopes, in their order, or empty if the link names none.
  public let scopes: [Scope]
  /// The redirect URI for the response.
  ///
  /// The code must be issued for this `redirect_uri`: Google's server sends it again when it exchanges the code
  /// ([RFC 6749 § 4.1.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.3)).
  public let redirect: AppFlipRedirect
  /// The state as received, including its percent-encoding.
  let encodedState: String

  /// Returns the response with an authorization code.
  ///
  /// - Parameter code: The code issued by the app's server for this client, these scopes and this redirect URI. An
  ///   empty code is sent as ``AppFlipRefusal/cancelled``, with which Google continues in the browser.
  public func response(code: String) -> AppFlipResponse {
    guard !code.isEmpty else { return refuse(.cancelled, description: "The app has no authorization code.") }
    return AppFlipResponse(redirect, ["code": code], encodedState: encodedState)
  }

  /// Returns the response without a code.
  ///
  /// - Parameters:
  ///   - refusal: The reason, which determines how Google's app continues.
  ///   - description: A sentence for the user, or `nil`. It is part of a URL: it must not contain secrets.
  public func refuse(_ refusal: AppFlipRefusal, description: String? = nil) -> AppFlipResponse {
    AppFlipResponse(redirect, refusal, description: description, encodedState: encodedState)
  }
}

extension AppFlipRequest: CustomStringConvertible, CustomReflectable {
  /// Client, scopes and redirect URI, without the state.
  public var description: String { "App Flip for \(clientID), scopes \(scopes), to \(redirect)" }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(self, children: ["clientID": clientID, "scopes": scopes, "redirect": redirect])
  }
}

/// A request can be stored while the user signs in, even across a relaunch of the app. It contains Google's `state`: store it
/// where only the app can read it, and remove it after the response.
extension AppFlipRequest: Codable {
  private enum CodingKeys: String, CodingKey { case clientID, scopes, redirect, state }

  /// Encodes the request with the members of its link.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(clientID, forKey: .clientID)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(redirect, forKey: .redirect)
    try container.encode(encodedState, forKey: .state)
  }

  /// Decodes a stored request.
  ///
  /// - Throws: `DecodingError` if it is not valid, or if its state could add parameters to the response.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let state = try container.decode(String.self, forKey: .state)
    guard state.isQueryValue else {
      throw DecodingError.dataCorruptedError(
        forKey: .state, in: container, debugDescription: "The state is not the value of a query parameter.")
    }
    self.init(
      clientID: try container.decode(String.self, forKey: .clientID),
      scopes: try container.decode([Scope].self, forKey: .scopes),
      redirect: try container.decode(AppFlipRedirect.self, forKey: .redirect),
      encodedState: state)
  }
}

extension AppFlipRedirect: Codable {
  /// Encodes the URI as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uri)
  }

  /// Decodes the URI from text.
  ///
  /// - Throws: `DecodingError` if it is not an App Flip redirect URI of Google's.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let redirect = AppFlipRedirect(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not an App Flip redirect URI.")
    }
    self = redirect
  }
}

extension String {
  /// Whether the text is percent-encoded and exactly one value of a query.
  fileprivate var isQueryValue: Bool {
    !isEmpty && !utf8.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }
      && URL(string: "https://host/?state=" + self, encodingInvalidCharacters: false) != nil
  }
}
