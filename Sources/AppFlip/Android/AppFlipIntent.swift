// SPDX-License-Identifier: Apache-2.0

/// The request of Google's app for Android, in the extras of the intent that starts the app's activity
/// ([App Flip for Android](https://developers.google.com/identity/account-linking/app-flip-android)).
///
/// An intent has no state, and its result is returned to the caller of the activity. Before you use it, compare the calling
/// package's signing certificate, which only Android can provide.
public struct AppFlipIntent: Sendable, Hashable {
  /// The identifier of the requesting client.
  public var clientID: String
  /// The requested scopes, in their order.
  public var scopes: [String]
  /// The redirect URI that Google's server sends when it exchanges the code.
  ///
  /// The code must be issued for this URI, and the app's server must have registered it for this client. No response is sent
  /// there.
  public var redirectURI: String

  /// Creates an intent as Google's app would send it.
  public init(clientID: String, scopes: [String], redirectURI: String) {
    self.clientID = clientID
    self.scopes = scopes
    self.redirectURI = redirectURI
  }

  /// The extras, by name.
  public var extras: [String: String] {
    [Extra.clientID: clientID, Extra.scope: scopes.joined(separator: " "), Extra.redirectURI: redirectURI]
  }

  fileprivate enum Extra {
    static let clientID = "CLIENT_ID"
    static let scope = "SCOPE"
    static let redirectURI = "REDIRECT_URI"
  }
}

extension AppFlipRegistration {
  /// Parses the extras of an intent with which Google's app has started the app.
  ///
  /// - Parameter extras: The text extras, by name. Extras that are not App Flip's are ignored.
  /// - Returns: The request, whose client is the registered one.
  /// - Throws: ``AppFlipError``; respond with ``AppFlipIntentResult/refused(_:errorCode:description:)`` and
  ///   ``AppFlipRefusal/invalidRequest``.
  public func intent(from extras: [String: String]) throws(AppFlipError) -> AppFlipIntent {
    func value(_ name: String) throws(AppFlipError) -> String {
      guard let value = extras[name], !value.isEmpty else { throw .missing(name) }
      return value
    }
    guard isClient(try value(AppFlipIntent.Extra.clientID)) else {
      throw AppFlipError(
        .unknownClient, "CLIENT_ID is not the registered client.", parameter: AppFlipIntent.Extra.clientID)
    }
    return AppFlipIntent(
      clientID: clientID,
      scopes: try [String](scopeParameter: extras[AppFlipIntent.Extra.scope], AppFlipIntent.Extra.scope),
      redirectURI: try value(AppFlipIntent.Extra.redirectURI))
  }
}
