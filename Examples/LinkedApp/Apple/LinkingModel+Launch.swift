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
  /// The model of this app.
  static func ofThisApp() throws -> LinkingModel {
    guard let endpoint = URL(string: "https://app.example/app-flip/code") else {
      throw OAuthError(.invalidConfiguration, "The URL where codes are issued is not one.")
    }
    // The client identifier that your server has given Google.
    let google = AppFlipRegistration(clientID: "google", redirects: redirects)
    return LinkingModel(google: google, server: HTTPLinkServer(account: try account(), endpoint: endpoint)) {
      await UIApplication.shared.open($0)
    }
  }

  /// Google's redirect URIs; in a debug build, that of Google's test tool as well: the `redirectUri` of its `Config.plist`.
  private static var redirects: Set<AppFlipRedirect> {
    #if DEBUG
      guard let tool = AppFlipRedirect.testTool("https://tool.example/redirect") else { return AppFlipRedirect.google }
      return AppFlipRedirect.google.union([tool])
    #else
      return AppFlipRedirect.google
    #endif
  }

  /// The user's sign-in to this app, at your own server.
  ///
  /// Its transport carries the session; in its place take yours, if the app has one.
  private static func account() throws -> OAuthAccount {
    guard let authorization = URL(string: "https://app.example/authorize"),
      let token = URL(string: "https://app.example/token"), let redirect = URL(string: "com.example.app:/signed-in")
    else { throw OAuthError(.invalidConfiguration, "A URL of the app's server is not one.") }
    let server = ServerMetadata(
      issuer: "https://app.example", authorizationEndpoint: authorization, tokenEndpoint: token,
      tokenEndpointAuthMethodsSupported: ["none"])
    let client = try OAuthClient(
      provider: Provider(name: "Example", server: server), registration: ClientRegistration(clientID: "app"),
      transport: DefaultTransport().retrying())
    return OAuthAccount(
      client: client, storage: KeychainTokenStorage(), account: "me", scopes: ["link"],
      userAgent: try WebAuthenticationUserAgent(redirectURI: redirect) { .keyWindow })
  }
}
