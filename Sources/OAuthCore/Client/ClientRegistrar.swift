// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Registers clients at a server, and manages their registrations
/// ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html), [RFC 7592](https://www.rfc-editor.org/rfc/rfc7592.html)).
///
/// ```swift
/// let registrar = ClientRegistrar(server: server, transport: http)
/// let registered = try await registrar.register(
///   ClientMetadata(clientName: "Reports", redirectURIs: [redirect], tokenEndpointAuthMethod: "none"))
/// let client = try OAuthClient(server: server, registration: registered.registration(), transport: http)
/// ```
///
/// It keeps nothing. Any number of tasks may use it.
public struct ClientRegistrar: Sendable {
  private let server: ServerMetadata
  private let transport: any Transport

  /// Creates a registrar.
  ///
  /// - Parameters:
  ///   - server: The server, with its registration endpoint.
  ///   - transport: The transport that requests go through.
  public init(server: ServerMetadata, transport: some Transport) {
    self.server = server
    self.transport = transport
  }

  /// Registers a client ([RFC 7591 § 3.1](https://www.rfc-editor.org/rfc/rfc7591.html#section-3.1)).
  ///
  /// - Parameters:
  ///   - metadata: What the client says of itself.
  ///   - initialAccessToken: The token that a server requires which does not register every client.
  /// - Returns: The client, to be kept: each call registers another one.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no registration endpoint,
  ///   ``OAuthError/Code/requestRejected`` if it refuses the metadata; `TransportError`; `CancellationError`.
  public func register(_ metadata: ClientMetadata, initialAccessToken: Secret? = nil) async throws -> RegisteredClient {
    guard let endpoint = server.registrationEndpoint else {
      throw OAuthError(.unsupported, "\(server.name) has no registration endpoint. Register the client on its pages.")
    }
    return try client(in: try await send(.post, endpoint, initialAccessToken, try JSONText.encode(metadata)))
  }

  /// Reads a registration as it is now ([RFC 7592 § 2.1](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.1)).
  ///
  /// - Returns: The client, to be kept in place of `client`: the server may have replaced its secret or access token.
  /// - Throws: As ``register(_:initialAccessToken:)``.
  public func read(_ client: RegisteredClient) async throws -> RegisteredClient {
    let (url, token) = try management(of: client)
    return try self.client(in: try await send(.get, url, token, nil)).filled(from: client)
  }

  /// Replaces the metadata of a registration
  /// ([RFC 7592 § 2.2](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.2)).
  ///
  /// - Parameters:
  ///   - client: The client as it was registered or read last.
  ///   - metadata: All of its metadata: what is `nil` is removed.
  /// - Returns: The client, to be kept in place of `client`.
  /// - Throws: As ``register(_:initialAccessToken:)``.
  public func update(_ client: RegisteredClient, to metadata: ClientMetadata) async throws -> RegisteredClient {
    let (url, token) = try management(of: client)
    let body = try JSONText.encode(UpdatedClient(client: client, metadata: metadata))
    return try self.client(in: try await send(.put, url, token, body)).filled(from: client)
  }

  /// Removes a registration, and with it the client's tokens
  /// ([RFC 7592 § 2.3](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.3)).
  ///
  /// - Throws: As ``register(_:initialAccessToken:)``.
  public func delete(_ client: RegisteredClient) async throws {
    let (url, token) = try management(of: client)
    _ = try await send(.delete, url, token, nil)
  }

  private func management(of client: RegisteredClient) throws -> (URL, Secret) {
    guard let url = client.registrationClientURI, let token = client.registrationAccessToken else {
      throw OAuthError(.unsupported, "\(server.name) does not let this client manage its registration.")
    }
    return (url, token)
  }

  private func send(_ method: HTTPMethod, _ url: URL, _ token: Secret?, _ body: [UInt8]?) async throws -> HTTPResponse {
    guard Origin(url)?.isSecure == true else {
      throw OAuthError(
        .invalidConfiguration,
        "The registration's URL at \(server.name), \(OAuthError.printable(url.absoluteString, limit: 200)), is not https; plain http is for loopback only."
      )
    }
    var request = HTTPRequest(
      method, url, fields: ["Accept": "application/json"], body: body, redirectScope: .sameOrigin)
    if body != nil { request.fields["Content-Type"] = "application/json" }
    request.fields["Authorization"] = token.map { "Bearer \($0.reveal())" }
    let response = try await transport.send(request)
    if let error = EndpointResponse(response, Provider.Quirks()).oauthError(
      from: url, Provider.Quirks(), hiding: [token].compactMap(\.self))
    {
      // RFC 6750 § 3.1: such a response need not have a body.
      guard response.status == 401, error.serverCode == nil else { throw error }
      throw OAuthError(.requestRejected, "\(server.name) does not accept the access token for registrations.")
    }
    return response
  }

  private func client(in response: HTTPResponse) throws -> RegisteredClient {
    guard let client = try? JSONDecoder().decode(RegisteredClient.self, from: Data(response.body)),
      !client.clientID.isEmpty
    else {
      throw OAuthError(
        .invalidResponse, "The registration's response from \(server.name) does not hold a registered client.")
    }
    return client
  }
}

/// What replaces a registration: no member of it that the server alone sets
/// ([RFC 7592 § 2.2](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.2)).
private struct UpdatedClient: Encodable {
  let client: RegisteredClient
  let metadata: ClientMetadata

  func encode(to encoder: any Encoder) throws {
    try metadata.encode(to: encoder)
    var container = encoder.container(keyedBy: MemberName.self)
    try container.encode(client.clientID, forKey: "client_id")
    try container.encodeIfPresent(client.clientSecret?.reveal(), forKey: "client_secret")
  }
}

extension RegisteredClient {
  /// Returns this client with the access to its registration, where the response did not repeat it.
  fileprivate func filled(from other: RegisteredClient) -> RegisteredClient {
    RegisteredClient(
      clientID: clientID, clientSecret: clientSecret ?? other.clientSecret,
      clientSecretExpiresAt: clientSecret == nil ? other.clientSecretExpiresAt : clientSecretExpiresAt,
      issuedAt: issuedAt ?? other.issuedAt,
      registrationClientURI: registrationClientURI ?? other.registrationClientURI,
      registrationAccessToken: registrationAccessToken ?? other.registrationAccessToken, metadata: metadata)
  }
}
