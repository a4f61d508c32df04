// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import HTTPTransport
package import OAuthCore
package import OAuthScope
package import PlatformFoundation

/// A provider with the root of its API and its default scopes.
package struct KnownProvider: Sendable {
  /// The provider.
  package var provider: Provider
  /// The root URL of the provider's API, or `nil` if only the issuer is known.
  package var apiURL: URL?
  /// The scopes of a first sign-in without `--scope`.
  package let defaultScopes: [Scope]
  /// Whether the scopes are Google's, whose prefix `https://www.googleapis.com/auth/` can be omitted.
  private let hasGoogleScopes: Bool
  /// The scopes listed by the server, or `nil` for a preset.
  private let listedScopes: [Scope]?

  /// The default scopes at Google: the profile and the calendars, read-only.
  static let googleScopes: [Scope] = [.openID, .email, .profile, .calendarReadOnly]

  /// The names for `--provider`, in alphabetical order.
  package static let names = (["google", "microsoft"] + table.keys).sorted()

  /// The providers without parameters.
  ///
  /// Apple is missing because it posts its response to an https URL. A command has no such URL.
  private static let table: [String: KnownProvider] = {
    func entry(_ provider: Provider, _ api: URL, _ scopes: Scope...) -> KnownProvider {
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
    provider: Provider, apiURL: URL?, defaultScopes: [Scope], hasGoogleScopes: Bool = false,
    listedScopes: [Scope]? = nil
  ) {
    self.provider = provider
    self.apiURL = apiURL
    self.defaultScopes = defaultScopes
    self.hasGoogleScopes = hasGoogleScopes
    self.listedScopes = listedScopes
  }

  /// - Throws: ``UsageError`` for an unknown name, a missing tenant, or a tenant for a provider without tenants.
  init(name: String, tenant: String?) throws {
    guard (name == "microsoft") == (tenant != nil) else {
      throw UsageError(
        tenant == nil ? "--provider microsoft needs --tenant." : "--tenant is for --provider microsoft only.")
    }
    switch name {
    case "google":
      self.init(
        provider: GoogleServices.production.provider, apiURL: GoogleServices.production.apiURL,
        defaultScopes: Self.googleScopes, hasGoogleScopes: true)
    case "microsoft":
      self.init(
        provider: try .microsoft(tenant: tenant ?? ""), apiURL: URL(literal: "https://graph.microsoft.com/v1.0/"),
        defaultScopes: [.openID, .profile, .email, .offlineAccess, "User.Read"])
    case let name:
      guard let known = Self.table[name] else {
        let nearest = Self.names.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
        throw UsageError("--provider must be one of \(Self.names.joined(separator: ", ")).\(nearest)")
      }
      self = known
    }
  }

  /// The rule for scopes covered by granted ones.
  var scopeRule: ScopeRule { hasGoogleScopes ? .google : .exact }

  /// Returns the provider and its API at another URL.
  func hosted(at url: URL) -> KnownProvider {
    let path = apiURL?.path(percentEncoded: true).drop { $0 == "/" } ?? ""
    return KnownProvider(
      provider: provider.hosted(at: url), apiURL: path.isEmpty ? url : url.appending(path: path),
      defaultScopes: defaultScopes, hasGoogleScopes: hasGoogleScopes)
  }

  /// Returns the scopes of a sign-in.
  ///
  /// - Parameters:
  ///   - names: The scopes named by the user. Google's can have short names. Other providers' are unchanged.
  ///   - stored: The scopes of the last sign-in at this server. They are the default.
  package func scopes(named names: [String], stored: [Scope]?) -> [Scope] {
    guard names.isEmpty else { return names.map { hasGoogleScopes ? whole($0) : Scope($0) } }
    return stored ?? defaultScopes
  }
}

extension KnownProvider {
  /// Returns the complete text of a scope, possibly given by its short name.
  ///
  /// A server with a list of its scopes has short names for these only.
  private func whole(_ name: String) -> Scope {
    let scope = Scope(named: name)
    guard let listedScopes else { return scope }
    return listedScopes.contains(scope) ? scope : Scope(name)
  }
}

extension Scope {
  /// Creates a scope from its complete text, its short name or its name in the library, such as `calendarReadOnly`.
  fileprivate init(named name: String) {
    let properties: [String: Scope] = [
      "openID": .openID, "calendarReadOnly": .calendarReadOnly, "calendarEvents": .calendarEvents,
    ]
    self = properties[name] ?? Scope(googleName: name)
  }
}
