package import Almanac
import HTTPTransport
import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A provider with the root of its API and the scopes that a sign-in asks for, all of it data.
package struct KnownProvider: Sendable {
  package var services: GoogleServices
  /// Whether the root in ``services`` is that of an API. If it is not, it only stands where one must.
  package let hasAPI: Bool
  /// The scopes of a sign-in that names none; `nil` for Google's, which may also be given in short.
  let scopes: [String]?

  static let names = ["google", "github", "gitlab", "meetup", "microsoft"]

  init(services: GoogleServices, hasAPI: Bool = true, scopes: [String]?) {
    self.services = services
    self.hasAPI = hasAPI
    self.scopes = scopes
  }

  /// - Throws: ``UsageError`` for a name that is not known, or for a tenant that is missing or of no use.
  init(name: String, tenant: String?) throws {
    guard (name == "microsoft") == (tenant != nil) else {
      throw UsageError(tenant == nil ? "microsoft needs --tenant." : "--tenant is for microsoft only.")
    }
    func make(_ provider: Provider, _ api: URL, _ scopes: [String]) -> KnownProvider {
      KnownProvider(services: GoogleServices(provider: provider, apiURL: api), scopes: scopes)
    }
    switch name {
    case "google": self.init(services: .production, scopes: nil)
    case "github": self = make(.gitHub, URL(literal: "https://api.github.com/"), ["read:user"])
    case "gitlab": self = make(.gitLab, URL(literal: "https://gitlab.com/api/v4/"), ["openid", "profile", "email"])
    case "meetup": self = make(.meetup, URL(literal: "https://api.meetup.com/"), ["basic"])
    case "microsoft":
      self = make(
        try .microsoft(tenant: tenant ?? ""), URL(literal: "https://graph.microsoft.com/v1.0/"),
        ["openid", "profile", "email", "offline_access", "User.Read"])
    default: throw UsageError("--provider is one of \(Self.names.joined(separator: ", ")).")
    }
  }

  /// The same provider with its API at another address.
  func hosted(at url: URL) -> KnownProvider {
    let path = services.apiURL.path(percentEncoded: true).drop { $0 == "/" }
    return KnownProvider(
      services: GoogleServices(
        provider: services.provider.hosted(at: url), apiURL: path.isEmpty ? url : url.appending(path: path)),
      scopes: scopes)
  }

  /// The scopes that a sign-in asks for.
  ///
  /// - Parameter names: What the person named, nothing for the provider's usual ones.
  func scopes(named names: [String]) -> [String] {
    if !names.isEmpty { return scopes == nil ? names.map { GoogleScope(shortName: $0).rawValue } : names }
    return scopes ?? GoogleScope.default.map(\.rawValue)
  }
}
