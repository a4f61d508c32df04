// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// All that a client has to know to access a resource, found from the URL of the resource alone
/// ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728.html), and the authorization of the
/// [Model Context Protocol](https://modelcontextprotocol.io/specification/draft/basic/authorization)).
///
/// `OAuthAccount.discovering(resource:as:scopes:storage:account:transport:clock:userAgent:)` makes an account of it in one call.
public struct ResourceAccess: Sendable {
  /// What the resource says of itself.
  public let resource: ProtectedResourceMetadata
  /// The authorization server.
  public let server: ServerMetadata
  /// The client at this server.
  public let registration: ClientRegistration
  /// The scopes to request: those that the resource demanded, else those that it names.
  public let scopes: [String]

  /// The parameters of the authorization request, which name the resource
  /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)).
  public var parameters: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [resource.resource]
    return parameters
  }
}

extension ResourceAccess {
  /// Finds out how a resource is accessed.
  ///
  /// The steps are these: a request without a token, whose response may name the metadata of the resource and the scopes; the
  /// metadata of the resource; those of its authorization server, the first one that knows the client or else the first; the
  /// client there. No redirect to another origin is followed, and no resource on the internet can name a server on this machine or
  /// in a private network, by its address or a name such as `localhost` or `printer.local`; one that is there itself can name
  /// others there. A public DNS name that resolves to a private address is not recognized.
  ///
  /// If the server lists the resources that it issues tokens for (`protected_resources`,
  /// [RFC 9728 § 4](https://www.rfc-editor.org/rfc/rfc9728.html#section-4)), the resource must be among them. Few servers do, so
  /// that the user decides: show the API, the server and the scopes with `UserAgent.confirming(_:)`.
  ///
  /// - Parameters:
  ///   - url: The URL of the resource: https, or http to loopback.
  ///   - identity: Who the client is.
  ///   - transport: The transport that requests go through.
  /// - Throws: `OAuthError` with code `invalidConfiguration` for a URL that cannot be a resource,
  ///   `resourceMismatch` if the metadata are those of another resource, or the server does not list this one,
  ///   `invalidResponse` if there are none, `issuerMismatch` if the server calls itself
  ///   otherwise, `unsupported` if there is no server, or one without PKCE,
  ///   `clientRequired` if the client is not known there and cannot become so; `TransportError`;
  ///   `CancellationError`.
  public static func discover(
    _ url: URL, as identity: ClientIdentity, transport: some Transport
  ) async throws -> ResourceAccess {
    guard let origin = Origin(url), origin.isSecure, url.fragment() == nil else {
      throw OAuthError(
        .invalidConfiguration,
        "The resource must be an https URL without a fragment; plain http is for loopback only.")
    }
    let demand = try await demand(of: url, at: origin, transport)
    let resource = try await ProtectedResourceMetadata.discover(for: url, demand: demand, transport: transport)
    let server = try await server(of: resource, at: origin, as: identity, transport)
    try server.checkProtects(resource)
    // Of the protocols in which a client meets a server for the first time, all require it.
    guard server.codeChallengeMethodsSupported?.contains("S256") == true else {
      throw OAuthError(
        .unsupported,
        "\(server.name) does not say that it supports PKCE with S256. Do not sign in there; report it to those who run the resource."
      )
    }
    var identity = identity
    let demanded = demand?.scopes ?? []
    if resource.requiresDPoP { identity.metadata?.dpopBoundAccessTokens = true }
    // A server may refuse scopes that a client has not registered for.
    let isOffline = identity.requestsOfflineAccess && server.scopesSupported?.contains("offline_access") == true
    let withOffline = { (scopes: [String]) in
      isOffline && !scopes.isEmpty && !scopes.contains("offline_access") ? scopes + ["offline_access"] : scopes
    }
    let possible = withOffline(demanded + resource.scopesSupported.filter { !demanded.contains($0) })
    if identity.metadata?.scope == nil, !possible.isEmpty {
      identity.metadata?.scope = possible.joined(separator: " ")
    }
    let registrar = ClientRegistrar(server: server, transport: transport)
    var registration = try await identity.registration(at: registrar, of: server, for: url)
    if resource.requiresDPoP { registration.dpop = .required }
    return ResourceAccess(
      resource: resource, server: server, registration: registration,
      scopes: withOffline(demanded.isEmpty ? resource.scopesSupported : demanded))
  }

  /// What the resource demands of a request without a token; `nil` if it says nothing.
  private static func demand(
    of url: URL, at origin: Origin, _ transport: some Transport
  ) async throws -> TokenChallenge? {
    // A resource that demands nothing may respond with a stream that has no end.
    let request = HTTPRequest(.get, url, timeout: .seconds(10), redirectScope: .sameOrigin)
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch let error as TransportError where error.code == .timedOut {
      return nil
    }
    guard response.status == 401, response.redirectedOrigin == nil, let demand = TokenChallenge(response) else {
      return nil
    }
    return demand
  }

  private static func server(
    of resource: ProtectedResourceMetadata, at origin: Origin, as identity: ClientIdentity, _ transport: some Transport
  ) async throws -> ServerMetadata {
    let issuers = resource.authorizationServers
    guard let issuer = issuers.first(where: identity.isKnown) ?? issuers.first else {
      throw OAuthError(
        .unsupported,
        "The metadata of the resource \(OAuthError.printable(resource.resource.absoluteString, limit: 200)) name no authorization server. Name one yourself."
      )
    }
    if let url = URL(string: issuer) { try origin.checkMayName(url) }
    let server = try await ServerMetadata.discover(issuer: issuer, transport: transport)
    for url in server.urls { try origin.checkMayName(url) }
    return server
  }
}

extension ClientIdentity {
  /// Whether a server was named beforehand, with its client.
  fileprivate func isKnown(_ issuer: String) -> Bool { known[issuer] != nil || given?.issuer == issuer }
}

extension ServerMetadata {
  /// Checks that the server issues tokens for a resource, if it says for which ones it does.
  ///
  /// - Throws: `OAuthError` with code `resourceMismatch`.
  fileprivate func checkProtects(_ resource: ProtectedResourceMetadata) throws(OAuthError) {
    // RFC 9728 § 4: a server that does not enumerate its resources leaves the member out.
    guard let protectedResources else { return }
    let identifier = resource.resource.absoluteString
    // An origin is written with and without a slash.
    let isOrigin = ["", "/"].contains(resource.resource.path(percentEncoded: true)) && resource.resource.query() == nil
    let names = isOrigin ? Origin(resource.resource).map { ["\($0)", "\($0)/"] } ?? [] : [identifier]
    guard names.contains(where: protectedResources.contains) else {
      throw OAuthError(
        .resourceMismatch,
        "\(name) lists the resources that it issues tokens for, and \(OAuthError.printable(identifier, limit: 200)) is not among them. Do not sign in there; report it to those who run the resource."
      )
    }
  }

  /// The URLs that this program sends requests to, and those that it shows the user.
  fileprivate var urls: [URL] {
    [
      tokenEndpoint, authorizationEndpoint, registrationEndpoint, pushedAuthorizationRequestEndpoint,
      deviceAuthorizationEndpoint, revocationEndpoint, introspectionEndpoint, userinfoEndpoint, endSessionEndpoint,
      jwksURI,
    ].compactMap(\.self) + (mtlsEndpointAliases ?? [:]).values
  }
}
