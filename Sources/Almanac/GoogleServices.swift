// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import PlatformFoundation

/// Google's endpoints: its authorization server and the Calendar API, or substitutes for them.
public struct GoogleServices: Sendable {
  /// The authorization server.
  public var provider: Provider
  /// The root URL of the APIs, the parent of `calendar/v3/`.
  public var apiURL: URL

  /// Creates a set of services.
  public init(provider: Provider, apiURL: URL) {
    self.provider = provider
    self.apiURL = apiURL
  }

  /// Google's production services.
  public static let production = GoogleServices(provider: .google, apiURL: URL(literal: "https://www.googleapis.com/"))

  /// The origins of the user's data, allowed to receive the access token.
  var origins: Set<Origin> {
    Set([apiURL, provider.server.userinfoEndpoint].compactMap { $0.flatMap { Origin($0) } })
  }
}
