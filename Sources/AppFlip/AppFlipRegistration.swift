// SPDX-License-Identifier: Apache-2.0

/// Google as a client of the app and its server: the `client_id`, and the redirect URIs that responses may be sent to.
///
/// App Flip links a user's Google account with an app's account. Google's app opens a universal link of the other app,
/// the user agrees there, and the other app opens one of Google's universal links with an authorization code, which
/// Google's server exchanges at the other app's server
/// ([App Flip for iOS](https://developers.google.com/identity/account-linking/app-flip-ios)).
///
/// ```swift
/// let google = AppFlipRegistration(clientID: "google-home")
///
/// do {
///   let request = try google.request(from: link)          // the URL the app was opened with
///   let code = try await server.code(for: request)        // the app's own server, the user signed in and asked
///   await UIApplication.shared.open(request.response(code: code))
/// } catch let error as AppFlipError {
///   switch error.disposition {
///   case .notAppFlip: router.open(link)                    // another link of the app's
///   case .notGoogle: break                                 // no response
///   case .respond(let response): await UIApplication.shared.open(response)
///   }
/// }
/// ```
///
/// ``AppFlipRequest/refuse(_:description:)`` responds that there is no code. Always respond: Google's app waits,
/// and each ``AppFlipRefusal`` tells it how to go on.
///
/// The three places that have to agree take this one value:
/// - the app on Apple's platforms: ``request(from:)``,
/// - the app on Android: ``intent(from:)`` and ``AppFlipIntentResult``,
/// - the authorization endpoint: ``AppFlipEndpointPolicy``.
///
/// Nothing here needs the network, and everything but the opening of a response runs on every platform. Codes and states are
/// in no description and no error.
public struct AppFlipRegistration: Sendable, Hashable {
  /// The identifier that the app's server has given Google.
  public var clientID: String
  /// The redirect URIs that responses may be sent to.
  public var redirects: Set<AppFlipRedirect>

  /// Creates a registration.
  ///
  /// - Parameters:
  ///   - clientID: The identifier that the app's server has given Google.
  ///   - redirects: The redirect URIs that responses may be sent to: those of Google's apps, unless others are needed.
  public init(clientID: String, redirects: Set<AppFlipRedirect> = AppFlipRedirect.google) {
    self.clientID = clientID
    self.redirects = redirects
  }

  /// Creates a registration that trusts some apps, on both of Google's hosts.
  ///
  /// - Parameters:
  ///   - clientID: The identifier that the app's server has given Google.
  ///   - bundleIdentifiers: The bundle identifiers of Google's apps, such as `com.google.Chromecast`.
  public init(clientID: String, bundleIdentifiers: Set<String>) {
    self.init(clientID: clientID, redirects: AppFlipRedirect.onEveryHost(bundleIdentifiers))
  }

  /// Returns the redirect URI that `uri` is, byte for byte: one of Google's form, or the test tool's if it is allowed here.
  func redirect(_ uri: String) -> AppFlipRedirect? {
    AppFlipRedirect(uri) ?? redirects.first { $0.uri.utf8.elementsEqual(uri.utf8) }
  }

  /// Whether `clientID` is this client, byte for byte: for strings as such, `K` equals the Kelvin sign.
  func isClient(_ clientID: String) -> Bool { self.clientID.utf8.elementsEqual(clientID.utf8) }
}
