// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthScope
public import PlatformFoundation

/// Google as a client of the app and its server: the `client_id`, and the redirect URIs for responses.
///
/// App Flip links a user's Google account with an app's account. Google's app opens a universal link of the other app, and the
/// user agrees there. The other app then opens one of Google's universal links with an authorization code. Google's server
/// exchanges the code at the other app's server
/// ([App Flip for iOS](https://developers.google.com/identity/account-linking/app-flip-ios)).
///
/// ```swift
/// let google = AppFlipRegistration(clientID: "google-home")
///
/// do {
///   let request = try google.request(from: link)          // the URL the app was opened with
///   let code = try await server.code(for: request)        // from the app's own server, with the user's consent
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
/// ``AppFlipRequest/refuse(_:description:)`` responds without a code. Always respond: Google's app waits, and the
/// ``AppFlipRefusal`` determines how it continues.
///
/// This value is used in two places, which must agree:
/// - the app: ``request(from:)``,
/// - the authorization endpoint: ``AppFlipEndpointPolicy``.
///
/// Nothing here needs the network, and everything except opening a response runs on every platform. No description and no error
/// contains a code or a state.
public struct AppFlipRegistration: Sendable, Hashable {
  /// The identifier issued to Google by the app's server.
  public var clientID: String
  /// The redirect URIs for responses.
  public var redirects: Set<AppFlipRedirect>

  /// Creates a registration.
  ///
  /// - Parameters:
  ///   - clientID: The identifier issued to Google by the app's server.
  ///   - redirects: The redirect URIs for responses. Defaults to those of Google's apps.
  public init(clientID: String, redirects: Set<AppFlipRedirect> = AppFlipRedirect.google) {
    self.clientID = clientID
    self.redirects = redirects
  }

  /// Creates a registration that trusts some apps, on both of Google's hosts.
  ///
  /// - Parameters:
  ///   - clientID: The identifier issued to Google by the app's server.
  ///   - bundleIdentifiers: The bundle identifiers of Google's apps, such as `com.google.Chromecast`.
  public init(clientID: String, bundleIdentifiers: Set<String>) {
    self.init(clientID: clientID, redirects: AppFlipRedirect.onEveryHost(bundleIdentifiers))
  }

  /// Returns the redirect URI that equals `uri` byte for byte: one of Google's form, or the test tool's if it is allowed.
  func redirect(_ uri: String) -> AppFlipRedirect? {
    AppFlipRedirect(uri) ?? redirects.first { $0.uri.utf8.elementsEqual(uri.utf8) }
  }

  /// Whether `clientID` is this client's, byte for byte.
  ///
  /// Strings with different bytes can be equal: `K` equals the Kelvin sign.
  func isClient(_ clientID: String) -> Bool { self.clientID.utf8.elementsEqual(clientID.utf8) }
}

extension AppFlipRegistration {
  /// Parses the universal link with which Google's app has opened the app.
  ///
  /// Unknown parameters are ignored. A parameter without a value counts as omitted
  /// ([RFC 6749 § 3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.1)). The link's host and path are not
  /// checked: the system opens only links associated with the app.
  ///
  /// - Parameter link: The URL as received, the activity's `webpageURL`.
  /// - Returns: The verified request.
  /// - Throws: ``AppFlipError``, whose ``AppFlipError/disposition`` states how to handle the link: route it elsewhere, ignore
  ///   it, or open a response.
  public func request(from link: URL) throws(AppFlipError) -> AppFlipRequest {
    let parameters = LinkParameters(link.query(percentEncoded: true) ?? "")
    guard link.scheme?.lowercased() == "https", parameters.areOfAppFlip else {
      throw AppFlipError(.notAppFlip, "The URL is not an App Flip link. Handle it as any other link of the app.")
    }
    // No response may be sent before the redirect URI is verified.
    let redirect = try redirect(in: parameters)
    do {
      return try request(parameters, redirect)
    } catch {
      throw error.responding(
        AppFlipResponse(
          redirect, .invalidRequest, description: error.message, encodedState: parameters.encoded["state"]))
    }
  }

  private func redirect(in parameters: LinkParameters) throws(AppFlipError) -> AppFlipRedirect {
    let uri = try parameters.value("redirect_uri")
    guard let redirect = redirect(uri) else {
      throw AppFlipError(
        .untrustedRedirect, "redirect_uri is not one of Google's App Flip redirect URIs.", parameter: "redirect_uri")
    }
    guard redirects.contains(redirect) else {
      throw AppFlipError(
        .untrustedApp, "redirect_uri names an app that is not allowed. Allow its bundle identifier if it is Google's.",
        parameter: "redirect_uri")
    }
    return redirect
  }

  private func request(_ parameters: LinkParameters, _ redirect: AppFlipRedirect) throws(AppFlipError)
    -> AppFlipRequest
  {
    guard parameters.repeated.isEmpty else {
      throw .repeated(LinkParameters.known.first(where: parameters.repeated.contains))
    }
    guard isClient(try parameters.value("client_id")) else {
      throw AppFlipError(.unknownClient, "client_id is not the registered client.", parameter: "client_id")
    }
    _ = try parameters.value("state")
    return AppFlipRequest(
      clientID: clientID, scopes: try [Scope](checking: parameters.encoded["scope"].map(\.formDecoded), "scope"),
      redirect: redirect, encodedState: parameters.encoded["state"] ?? "")
  }
}

/// The parsed query of a link, still percent-encoded.
///
/// Decoding would lose bytes of a state with invalid UTF-8, and whether its spaces were written as `+` or `%20`.
private struct LinkParameters {
  static let known = ["client_id", "redirect_uri", "scope", "state"]

  /// The value of each name that occurs once and has a value.
  private(set) var encoded: [String: String] = [:]
  private(set) var repeated: Set<String> = []

  init(_ query: String) {
    var seen: Set<String> = []
    for piece in query.split(ascii: "&") {
      let parts = piece.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0]).formDecoded
      guard seen.insert(name).inserted else {
        repeated.insert(name)
        encoded[name] = nil
        continue
      }
      if parts.count == 2, !parts[1].isEmpty { encoded[name] = String(parts[1]) }
    }
  }

  /// Whether the query contains `client_id` or `redirect_uri`, which no other link of an app is likely to contain.
  var areOfAppFlip: Bool { ["client_id", "redirect_uri"].contains { encoded[$0] != nil || repeated.contains($0) } }

  func value(_ name: String) throws(AppFlipError) -> String {
    guard !repeated.contains(name) else { throw .repeated(name) }
    guard let encoded = encoded[name] else { throw .missing(name) }
    return encoded.formDecoded
  }
}

extension String {
  fileprivate var formDecoded: String { FormEncoding.form.decodeComponent(Array(utf8).span) }
}

extension [Scope] {
  /// Parses a list of scopes ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3)).
  init(checking text: String?, _ name: String) throws(AppFlipError) {
    self.init(parameter: text ?? "")
    guard allSatisfy(\.isWellFormed) else {
      throw AppFlipError(.malformedParameter, "\(name) contains a character that no scope allows.", parameter: name)
    }
  }
}
