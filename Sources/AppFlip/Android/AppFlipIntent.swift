// SPDX-License-Identifier: Apache-2.0

/// What Google's app for Android requests, in the extras of the intent that starts the app's activity
/// ([App Flip for Android](https://developers.google.com/identity/account-linking/app-flip-android)).
///
/// An intent has no state and its result goes to the caller of the activity: before it is used, compare the calling
/// package's signing certificate, which only Android can.
public struct AppFlipIntent: Sendable, Hashable {
  /// The identifier of the client that asks.
  public var clientID: String
  /// What is requested, in the order given.
  public var scopes: [String]
  /// The URL that Google's server names when it exchanges the code.
  ///
  /// The code must be issued for it, and the server must know it as this client's; nothing is sent there.
  public var redirectURI: String

  /// Creates what Google's app would send.
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
  /// Reads the extras of an intent that Google's app has started the app with.
  ///
  /// - Parameter extras: The text extras, by name. Others than those of App Flip are ignored.
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
        .unknownClient, "CLIENT_ID is not the one that is registered here.", parameter: AppFlipIntent.Extra.clientID)
    }
    return AppFlipIntent(
      clientID: clientID,
      scopes: try [String](scopeParameter: extras[AppFlipIntent.Extra.scope], AppFlipIntent.Extra.scope),
      redirectURI: try value(AppFlipIntent.Extra.redirectURI))
  }
}
