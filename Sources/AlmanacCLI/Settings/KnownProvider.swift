// SPDX-License-Identifier: Apache-2.0

import Almanac
import HTTPTransport
package import OAuthCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A provider with the root of its API and the scopes that a sign-in requests, all of it data.
package struct KnownProvider: Sendable {
  /// The provider.
  package var provider: Provider
  /// The root of its API; `nil` if the provider is known by its issuer alone.
  package var apiURL: URL?
  /// The scopes that a first sign-in requests if it names none.
  package let defaultScopes: [String]
  /// Whether the scopes are Google's, which may be given without the `https://www.googleapis.com/auth/` that they begin with.
  private let hasGoogleScopes: Bool

  static let names = (["google", "microsoft"] + table.keys).sorted()

  /// The providers that need no more than their data.
  ///
  /// Apple is not among them: it posts its response to an https URL, and a command has none.
  private static let table: [String: KnownProvider] = {
    func entry(_ provider: Provider, _ api: URL, _ scopes: String...) -> KnownProvider {
      KnownProvider(provider: provider, apiURL: api, defaultScopes: scopes)
    }
    return [
      "discord": entry(.discord, URL(literal: "https://discord.com/api/v10/"), "identify"),
      "dropbox": entry(.dropbox, URL(literal: "https://api.dropboxapi.com/2/"), "account_info.read"),
      "facebook": entry(.facebook, URL(literal: "https://graph.facebook.com/v23.0/"), "public_profile"),
      "github": entry(.gitHub, URL(literal: "https://api.github.com/"), "read:user"),
      "gitlab": entry(.gitLab, URL(literal: "https://gitlab.com/api/v4/"), "openid", "profile", "email"),
      "linkedin": entry(.linkedIn, URL(literal: "https://api.linkedin.com/v2/"), "openid", "profile", "email"),
      "meetup": entry(.meetup, URL(literal: "https://api.meetup.com/"), "basic"),
      "slack": entry(.slack, URL(literal: "https://slack.com/api/"), "users:read"),
      "spotify": entry(.spotify, URL(literal: "https://api.spotify.com/v1/"), "user-read-private"),
      "twitch": entry(.twitch, URL(literal: "https://api.twitch.tv/helix/"), "user:read:email"),
      "zoom": entry(.zoom, URL(literal: "https://api.zoom.us/v2/"), "user:read:user"),
    ]
  }()

  init(
    provider: Provider, apiURL: URL?, defaultScopes: [String], hasGoogleScopes: Bool = false
  ) {
    self.provider = provider
    self.apiURL = apiURL
    self.defaultScopes = defaultScopes
    self.hasGoogleScopes = hasGoogleScopes
  }

  /// - Throws: ``UsageError`` for a name that is not known, or for a tenant that is missing or of no use.
  init(name: String, tenant: String?) throws {
    guard (name == "microsoft") == (tenant != nil) else {
      throw UsageError(tenant == nil ? "microsoft needs --tenant." : "--tenant is for microsoft only.")
    }
    switch name {
    case "google":
      self.init(
        provider: GoogleServices.production.provider, apiURL: GoogleServices.production.apiURL,
        defaultScopes: GoogleScope.default.map(\.rawValue), hasGoogleScopes: true)
    case "microsoft":
      self.init(
        provider: try .microsoft(tenant: tenant ?? ""), apiURL: URL(literal: "https://graph.microsoft.com/v1.0/"),
        defaultScopes: ["openid", "profile", "email", "offline_access", "User.Read"])
    case let name:
      guard let known = Self.table[name] else {
        throw UsageError("--provider is one of \(Self.names.joined(separator: ", ")).")
      }
      self = known
    }
  }

  /// The rule for scopes that granted ones cover.
  var scopeRule: ScopeRule { hasGoogleScopes ? .google : .exact }

  /// The same provider with its API at another URL.
  func hosted(at url: URL) -> KnownProvider {
    let path = apiURL?.path(percentEncoded: true).drop { $0 == "/" } ?? ""
    return KnownProvider(
      provider: provider.hosted(at: url), apiURL: path.isEmpty ? url : url.appending(path: path),
      defaultScopes: defaultScopes, hasGoogleScopes: hasGoogleScopes)
  }

  /// Returns the scopes that a sign-in requests.
  ///
  /// - Parameters:
  ///   - names: The scopes that the user named. Google's may be given in short; every other provider's are sent as they are.
  ///   - stored: The scopes of the last sign-in at this server, which a sign-in that names none requests again.
  package func scopes(named names: [String], stored: [String]?) -> [String] {
    guard names.isEmpty else { return hasGoogleScopes ? names.map { GoogleScope(shortName: $0).rawValue } : names }
    return stored ?? defaultScopes
  }
}
