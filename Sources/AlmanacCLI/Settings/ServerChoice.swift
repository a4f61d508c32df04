// SPDX-License-Identifier: Apache-2.0

import Almanac
package import HTTPTransport
package import OAuthCore
import OAuthResources
import PlatformFoundation

/// The server of an account: a known provider, or an issuer for discovery.
///
/// Defaults to Google.
package struct ServerChoice: Codable, Sendable, Equatable {
  /// The provider's name.
  var provider: String?
  /// The URL of a self-hosted instance of the provider.
  var providerURL: String?
  /// The tenant at Microsoft.
  var tenant: String?
  /// The issuer to discover.
  var issuer: String?
  /// The identifier of the resource that named the issuer.
  ///
  /// The tokens are for this resource only.
  var resource: String?
  /// The root URL of the APIs, if it differs from the provider's.
  package private(set) var apiURL: String?

  static let options: [Option] = [
    Option(
      "provider", "NAME", "\(KnownProvider.names.joined(separator: ", ")) (default: google)",
      choices: KnownProvider.names),
    Option("provider-url", "URL", "the URL of a self-hosted instance of the provider"),
    Option("tenant", "ID", "the tenant's identifier, for microsoft"),
    Option("issuer", "URL", "another authorization server, found by discovery"),
    Option("api-url", "URL", "the root of the APIs (default: the provider's)"),
  ]

  /// Creates a choice from the arguments, or from the stored choice if they name no server.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - stored: The stored choice, or `nil` if there is none.
  ///   - isSignIn: Whether the command signs in. Another one uses the tokens of the stored resource, also if only its server is named.
  package init(_ arguments: Arguments, stored: ServerChoice?, isSignIn: Bool = false) {
    // With --resource, --issuer belongs to the client, and `stored` is the server that was found.
    if !arguments.has("resource"), ["provider", "provider-url", "tenant", "issuer"].contains(where: arguments.has) {
      provider = arguments["provider"]
      providerURL = arguments["provider-url"]
      tenant = arguments["tenant"]
      issuer = arguments["issuer"]
      if !isSignIn, let stored {
        var other = self
        other.resource = stored.resource
        if other.isSame(as: stored) { resource = stored.resource }
      }
    } else if let stored {
      self = stored
    }
    // A stored API URL is valid for the same server only.
    if let stored, isSame(as: stored) { apiURL = stored.apiURL }
    apiURL = arguments["api-url"] ?? apiURL
  }

  /// Creates the choice of a resource's server.
  init(issuer: String, resource: String, apiURL: String) {
    self.issuer = issuer
    self.resource = resource
    self.apiURL = apiURL
  }

  /// The parameters of an authorization request, which name the resource (RFC 8707).
  var parameters: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [resource.flatMap { URL(string: $0) }].compactMap(\.self)
    return parameters
  }

  /// Returns whether both are the same authorization server, ignoring the URL of the APIs.
  package func isSame(as other: ServerChoice) -> Bool {
    var copy = self
    copy.apiURL = other.apiURL
    if let issuer, let known = other.issuer, ServerMetadata.isSameIssuer(issuer, known) { copy.issuer = known }
    return copy == other
  }

  /// Finds the server.
  ///
  /// Without an API URL, the token is sent to the issuer's own origins only. If a resource named the server, each discovery
  /// checks that the server still fits the resource.
  ///
  /// - Parameters:
  ///   - transport: The transport for a discovery.
  ///   - server: The metadata already read and checked by this command, or `nil` to discover them.
  /// - Throws: ``UsageError``. Also `OAuthError` and `TransportError` if discovery fails.
  package func resolved(
    over transport: any Transport, as server: ServerMetadata? = nil
  ) async throws -> KnownProvider {
    guard issuer == nil || (provider == nil && providerURL == nil && tenant == nil) else {
      throw UsageError("--issuer names the server. Omit --provider, --provider-url and --tenant.")
    }
    guard let issuer, !isGoogle else {
      var known = try KnownProvider(name: provider ?? "google", tenant: tenant)
      if let url = try providerURL.map({ try Self.url($0, of: "provider-url") }) { known = known.hosted(at: url) }
      if let url = try root { known.apiURL = url }
      return known
    }
    let server = if let server { server } else { try await discovered(issuer, over: transport) }
    return KnownProvider(
      provider: Provider(name: issuer, server: server), apiURL: try root, defaultScopes: server.defaultScopes,
      hasGoogleScopes: server.scopesSupported?.contains(.calendarReadOnly) == true,
      listedScopes: server.scopesSupported)
  }

  private func discovered(_ issuer: String, over transport: any Transport) async throws -> ServerMetadata {
    guard let resource else { return try await .discover(issuer: issuer, transport: transport) }
    return try await .discover(issuer: issuer, for: try Self.url(resource), transport: transport)
  }

  /// Returns the URL of a resource from the settings.
  private static func url(_ resource: String) throws -> URL {
    guard let url = URL(string: resource) else {
      throw SettingsError("The settings name a resource that is not a URL. Sign in again with --resource.")
    }
    return url
  }

  /// Whether the issuer is Google, whose preset is used instead of discovery.
  private var isGoogle: Bool {
    issuer.map { ServerMetadata.isSameIssuer($0, Provider.google.server.issuer) } ?? false
  }

  private var root: URL? { get throws { try apiURL.map { try Self.url($0, of: "api-url") } } }

  private static func url(_ text: String, of option: String) throws -> URL {
    guard let url = URL(string: text), Origin(url)?.isSecure == true, url.query() == nil, url.fragment() == nil else {
      throw UsageError(
        "--\(option) must be an https URL without a query or fragment. Plain http is allowed for loopback only.")
    }
    // Paths are appended to the URL, so it needs a final slash.
    return url.hasDirectoryPath ? url : url.appending(path: "/")
  }
}

extension ServerMetadata {
  /// The scopes defined by every OpenID provider.
  ///
  /// Empty for a server without ID tokens
  /// ([OpenID Connect Core § 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims)).
  ///
  /// If the server lists `offline_access`, it is included to get a refresh token (§ 11).
  fileprivate var defaultScopes: [Scope] {
    guard jwksURI != nil else { return [] }
    let isOffline = scopesSupported?.contains(.offlineAccess) == true
    return [.openID, .profile, .email] + (isOffline ? [.offlineAccess] : [])
  }
}
