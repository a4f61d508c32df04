// SPDX-License-Identifier: Apache-2.0

import Almanac
import AppFlip
import Foundation
import HTTPTransport
import OAuthCore
import OAuthUserAgents
import TokenStore
import UIKit

extension LinkingModel {
  /// Creates the app's model.
  static func ofThisApp() throws -> LinkingModel {
    guard let endpoint = URL(string: "https://app.example/app-flip/code") else {
      throw OAuthError(.invalidConfiguration, "The URL where codes are issued is invalid.")
    }
    // The client identifier that your server gave to Google.
    let google = AppFlipRegistration(clientID: "google", redirects: redirects)
    return LinkingModel(google: google, server: HTTPLinkServer(account: try account(), endpoint: endpoint)) {
      await UIApplication.shared.open($0)
    }
  }

  /// Google's redirect URIs, and in debug builds the `redirectUri` in the `Config.plist` of Google's test tool.
  private static var redirects: Set<AppFlipRedirect> {
    #if DEBUG
      guard let tool = AppFlipRedirect.testTool("https://tool.example/redirect") else { return AppFlipRedirect.google }
      return AppFlipRedirect.google.union([tool])
    #else
      return AppFlipRedirect.google
    #endif
  }

  /// Returns the user's sign-in to this app, at your own server.
  ///
  /// Its transport adds the session to requests. If the app has its own session, use that instead.
  private static func account() throws -> OAuthAccount {
    guard let authorization = URL(string: "https://app.example/authorize"),
      let token = URL(string: "https://app.example/token"), let redirect = URL(string: "com.example.app:/signed-in")
    else { throw OAuthError(.invalidConfiguration, "A URL of the app's server is invalid.") }
    let server = ServerMetadata(
      issuer: "https://app.example", authorizationEndpoint: authorization, tokenEndpoint: token
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["none"]
    }
    let client = try OAuthClient(
      provider: Provider(name: "Example", server: server), registration: ClientRegistration(clientID: "app"),
      transport: DefaultTransport().retrying())
    return OAuthAccount(
      client: client, storage: KeychainTokenStorage(), account: "me", scopes: ["link"],
      userAgent: try WebAuthenticationUserAgent(redirectURI: redirect) { .keyWindow })
  }
}
