// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where Google is: its authorization server and the Calendar API, or stand-ins for them.
public struct GoogleServices: Sendable {
  /// The authorization server.
  public var provider: Provider
  /// The root of the APIs, below which `calendar/v3/` is.
  public var apiURL: URL

  /// Creates a set of services.
  public init(provider: Provider, apiURL: URL) {
    self.provider = provider
    self.apiURL = apiURL
  }

  /// Google itself.
  public static let production = GoogleServices(provider: .google, apiURL: URL(literal: "https://www.googleapis.com/"))

  /// The origins that serve the user's data, and may therefore see their access token.
  var origins: Set<Origin> {
    Set([apiURL, provider.server.userinfoEndpoint].compactMap { $0.flatMap { Origin($0) } })
  }
}
