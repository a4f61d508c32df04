// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import OAuthScope
public import PlatformFoundation

/// The authorization server, client and scopes for a resource, discovered from the resource's URL
/// ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728.html), and the authorization of the
/// [Model Context Protocol](https://modelcontextprotocol.io/specification/draft/basic/authorization)).
///
/// `OAuthAccount.init(discovering:as:scopes:storage:account:transport:clock:userAgent:)` discovers it and creates an account.
public struct ResourceAccess: Sendable {
  /// The metadata of the resource.
  public let resource: ProtectedResourceMetadata
  /// The authorization server.
  public let server: ServerMetadata
  /// The client's registration at this server.
  public let registration: ClientRegistration
  /// The scopes to request: those named by the caller, else those required by the resource's challenge, else those
  /// listed in its metadata.
  public let scopes: [Scope]

  /// The parameters of the authorization request, which name the resource
  /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)).
  public var parameters: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [resource.resource]
    return parameters
  }
}

extension ResourceAccess {
  /// Discovers the authorization server, client and scopes for a resource.
  ///
  /// The steps are:
  /// 1. Send a request without a token. The challenge in its response can contain the URL of the resource's metadata and the scopes.
  /// 2. Read the metadata of the resource.
  /// 3. Read the metadata of the authorization server: the first one at which the client is known, else the first one.
  /// 4. Determine the client, and register it if necessary.
  ///
  /// Redirects to another origin are not followed. A resource on the internet cannot name a server on this machine or
  /// in a private network, by its IP address or by a name such as `localhost` or `printer.local`. A resource in such a
  /// network can name servers there. A public DNS name that resolves to a private IP address is not detected.
  ///
  /// If the server lists its protected resources (`protected_resources`,
  /// [RFC 9728 § 4](https://www.rfc-editor.org/rfc/rfc9728.html#section-4)), the resource must be among them. Few
  /// servers do, so let the user decide: show the API, the server and the scopes with `UserAgent.confirming(_:)`.
  ///
  /// - Parameters:
  ///   - url: The URL of the resource: https, or http to loopback.
  ///   - identity: The client's identity.
  ///   - scopes: The scopes to request. Defaults to those required by the challenge, else to those listed in the
  ///     metadata.
  ///   - transport: The transport for all requests.
  /// - Throws: `TransportError`, `CancellationError`, or `OAuthError`, for example with one of these codes:
  ///   - `invalidConfiguration`: The URL cannot be a resource.
  ///   - `resourceMismatch`: The metadata belongs to another resource, or the server does not list this one.
  ///   - `invalidResponse`: There is no valid metadata, or the resource names more scopes than a request can contain.
  ///   - `issuerMismatch`: The server names another issuer.
  ///   - `unsupported`: There is no authorization server, or it does not announce PKCE.
  ///   - `clientRequired`: The client is unknown at the server and cannot be registered.
  ///   - `serverUnavailable`: A server is temporarily unavailable.
  public static func discover(
    _ url: URL, as identity: ClientIdentity, scopes: [Scope]? = nil, transport: some Transport
  ) async throws -> ResourceAccess {
    guard let origin = Origin(url), origin.isSecure, url.fragment() == nil else {
      throw OAuthError(
        .invalidConfiguration,
        "The resource must be an https URL without a fragment. Plain http is allowed for loopback only.")
    }
    let demand = try await demand(of: url, at: origin, transport)
    let resource = try await ProtectedResourceMetadata.discover(for: url, challenge: demand, transport: transport)
    let issuers = resource.authorizationServers
    guard let issuer = issuers.first(where: { identity.client(at: $0, for: url) != nil }) ?? issuers.first else {
      throw OAuthError(
        .unsupported,
        "The metadata of the resource \(OAuthError.printable(resource.resource.absoluteString, limit: 200)) names no authorization server. Specify one."
      )
    }
    let server = try await ServerMetadata.discover(issuer: issuer, for: resource.resource, transport: transport)
    var identity = identity
    let demanded = demand?.scopes ?? []
    if resource.requiresDPoP { identity.metadata?.dpopBoundAccessTokens = true }
    // A server may reject scopes that the client's registration does not contain.
    let isOffline = identity.requestsOfflineAccess && server.scopesSupported?.contains(.offlineAccess) == true
    let withOffline = { (scopes: [Scope]) in
      isOffline && !scopes.isEmpty && !scopes.contains(.offlineAccess) ? scopes + [.offlineAccess] : scopes
    }
    let requested = scopes ?? withOffline(demanded.isEmpty ? resource.scopesSupported : demanded)
    // Checked before the registration, so that no client is registered for a request that cannot be sent.
    guard scopes != nil || requested.joinedSize <= ServerLimits.scopesSize else {
      throw OAuthError(
        .invalidResponse,
        "The resource \(OAuthError.printable(resource.resource.absoluteString, limit: 200)) names \(requested.count) scopes with \(requested.joinedSize) bytes, more than servers accept in a request. Pass the scopes to request."
      )
    }
    let possible = (scopes ?? []).appending(withOffline(demanded.appending(resource.scopesSupported)))
    let registered = possible.joinedSize <= ServerLimits.scopesSize ? possible : requested
    if identity.metadata?.scopes == nil, !registered.isEmpty {
      identity.metadata?.scopes = registered
    }
    let registrar = ClientRegistrar(server: server, transport: transport)
    var registration = try await identity.registration(
      at: registrar, of: server, for: url, identifiedBy: resource.resource)
    if resource.requiresDPoP { registration.dpop = .required }
    return ResourceAccess(resource: resource, server: server, registration: registration, scopes: requested)
  }

  /// Returns the resource's challenge to a request without a token, or `nil` if there is none.
  private static func demand(
    of url: URL, at origin: Origin, _ transport: some Transport
  ) async throws -> TokenChallenge? {
    // A resource that requires no token may respond with an endless stream.
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
}

extension [Scope] {
  /// The size of the elements joined by a separator, in bytes.
  fileprivate var joinedSize: Int { reduce(0) { $0 + $1.rawValue.utf8.count + 1 } }
}

extension ServerMetadata {
  /// Reads the metadata of an authorization server for a resource, and checks that the server may be used for it.
  ///
  /// ``ResourceAccess/discover(_:as:scopes:transport:)`` calls it. Call it to read the metadata again in a later run of the program, for the
  /// issuer and resource of the stored tokens: the server can have changed since.
  ///
  /// - Parameters:
  ///   - issuer: The issuer's identifier, from the resource's metadata.
  ///   - resource: The resource's identifier, ``ProtectedResourceMetadata/resource``.
  ///   - transport: The transport for all requests.
  /// - Throws: `TransportError`, `CancellationError`, the errors of `discover(issuer:transport:)`, or `OAuthError` with
  ///   one of these codes:
  ///   - `invalidResponse`: The issuer or an endpoint is in a more private network than the resource.
  ///   - `resourceMismatch`: The server lists its resources, and this one is not among them.
  ///   - `unsupported`: The server does not announce PKCE.
  public static func discover(
    issuer: String, for resource: URL, transport: some Transport
  ) async throws -> ServerMetadata {
    try ProtectedResourceMetadata.check(issuer: issuer, namedBy: resource)
    let server = try await discover(issuer: issuer, transport: transport)
    try server.checkProtects(resource)
    // All protocols with discovered authorization servers require PKCE.
    guard server.codeChallengeMethodsSupported?.contains("S256") == true else {
      throw OAuthError(
        .unsupported,
        "\(server.name) does not announce PKCE with S256. Do not sign in there. Report the error to the resource's operator."
      )
    }
    return server
  }

  /// Checks that the server issues tokens for a resource, if it lists its resources.
  ///
  /// - Throws: `OAuthError` with code `resourceMismatch`.
  private func checkProtects(_ resource: URL) throws(OAuthError) {
    // RFC 9728 § 4: a server that does not list its resources omits the member.
    guard let protectedResources else { return }
    let isListed = protectedResources.contains { URL(string: $0).map(resource.isSameResource) == true }
    guard isListed else {
      throw OAuthError(
        .resourceMismatch,
        "\(name) lists the resources that it issues tokens for, and \(OAuthError.printable(resource.absoluteString, limit: 200)) is not among them. Do not sign in there. Report the error to the resource's operator."
      )
    }
  }
}

extension ProtectedResourceMetadata {
  /// Checks that a resource may name an issuer.
  ///
  /// - Throws: `OAuthError`.
  package static func check(issuer: String, namedBy resource: URL) throws {
    // Discovery rejects an issuer that is not a URL. It checks the endpoints against the issuer, which is no more private than the resource.
    guard let url = URL(string: issuer), let origin = Origin(resource) else { return }
    try ServerURL.authorizationServers.check(url, namedBy: origin)
  }
}
