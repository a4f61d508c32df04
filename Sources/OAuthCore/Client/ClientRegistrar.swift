// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import PlatformFoundation
public import TokenStore

/// A type that registers clients at a server and manages their registrations
/// ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html), [RFC 7592](https://www.rfc-editor.org/rfc/rfc7592.html)).
///
/// ```swift
/// let registrar = ClientRegistrar(server: server, transport: http)
/// let registered = try await registrar.register(
///   ClientMetadata(clientName: "Reports", redirectURIs: [redirect], tokenEndpointAuthMethod: "none"))
/// let client = try OAuthClient(server: server, registration: registered.registration(), transport: http)
/// ```
///
/// It stores nothing. Any number of tasks can use it.
public struct ClientRegistrar: Sendable {
  private let server: ServerMetadata
  private let transport: any Transport

  /// Creates a registrar.
  ///
  /// - Parameters:
  ///   - server: The server, with its registration endpoint.
  ///   - transport: The transport for all requests.
  public init(server: ServerMetadata, transport: some Transport) {
    self.server = server
    self.transport = transport
  }

  /// Registers a client ([RFC 7591 § 3.1](https://www.rfc-editor.org/rfc/rfc7591.html#section-3.1)).
  ///
  /// - Parameters:
  ///   - metadata: The client's metadata.
  ///   - initialAccessToken: The access token for a server with protected registration, or `nil` for open registration.
  /// - Returns: The registered client. Store it: each call registers another client.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/unsupported`` if the server has no registration endpoint, or
  ///   with code ``OAuthError/Code/requestRejected`` if it rejects the metadata. Also `TransportError` and
  ///   `CancellationError`.
  @concurrent public func register(_ metadata: ClientMetadata, initialAccessToken: Secret? = nil) async throws
    -> RegisteredClient
  {
    guard let endpoint = server.registrationEndpoint else {
      throw OAuthError(.unsupported, "\(server.name) has no registration endpoint. Register the client on its website.")
    }
    return try client(in: try await send(.post, endpoint, initialAccessToken, try JSONText.encode(metadata)))
  }

  /// Reads the current registration ([RFC 7592 § 2.1](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.1)).
  ///
  /// - Returns: The client. Store it in place of `client`: the server may have replaced its secret or access token.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/unsupported`` if the client cannot manage its registration,
  ///   or with code ``OAuthError/Code/invalidResponse`` if its registration URL is at another origin than the issuer
  ///   and the registration endpoint. Also `TransportError` and `CancellationError`.
  @concurrent public func read(_ client: RegisteredClient) async throws -> RegisteredClient {
    let (url, token) = try management(of: client)
    return try self.client(in: try await send(.get, url, token, nil)).filled(from: client)
  }

  /// Replaces the metadata of a registration
  /// ([RFC 7592 § 2.2](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.2)).
  ///
  /// - Parameters:
  ///   - client: The client as last registered or read.
  ///   - metadata: All metadata of the client. `nil` members are removed.
  /// - Returns: The client. Store it in place of `client`.
  /// - Throws: The errors of ``read(_:)``.
  @concurrent public func update(_ client: RegisteredClient, to metadata: ClientMetadata) async throws
    -> RegisteredClient
  {
    let (url, token) = try management(of: client)
    let body = try JSONText.encode(UpdatedClient(client: client, metadata: metadata))
    return try self.client(in: try await send(.put, url, token, body)).filled(from: client)
  }

  /// Deletes a registration
  /// ([RFC 7592 § 2.3](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.3)).
  ///
  /// The server should also invalidate the client's tokens.
  ///
  /// - Throws: The errors of ``read(_:)``.
  public func delete(_ client: RegisteredClient) async throws {
    let (url, token) = try management(of: client)
    _ = try await send(.delete, url, token, nil)
  }

  private func management(of client: RegisteredClient) throws -> (URL, Secret) {
    guard let url = client.registrationClientURI, let token = client.registrationAccessToken else {
      throw OAuthError(
        .unsupported,
        "\(server.name) does not let this client manage its registration. Manage it on the server's website.")
    }
    // RFC 7592 § 3: the server chooses the URL and the token, so no other server may receive a request with the token.
    let origins = [server.registrationEndpoint.flatMap { Origin($0) }, Origin(server.issuer)].compactMap(\.self)
    guard let first = origins.first else {
      throw OAuthError(
        .unsupported,
        "The metadata of \(server.name) names no origin to manage this client at. Manage it on the server's website.")
    }
    try ServerURL.registrationClientURI.check(url, namedBy: first, orAt: origins)
    return (url, token)
  }

  private func send(_ method: HTTPMethod, _ url: URL, _ token: Secret?, _ body: [UInt8]?) async throws -> HTTPResponse {
    guard Origin(url)?.isSecure == true else {
      throw OAuthError(
        .invalidConfiguration,
        "The registration's URL at \(server.name), \(OAuthError.printable(url.absoluteString, limit: 200)), is not https. Plain http is allowed for loopback only."
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
      // RFC 6750 § 3.1: such a response does not need a body.
      guard response.status == 401, error.serverCode == nil else { throw error }
      throw OAuthError(
        .requestRejected, "\(server.name) rejected the access token for the registration. Obtain a new one.")
    }
    return response
  }

  private func client(in response: HTTPResponse) throws -> RegisteredClient {
    let json = (try? JSONValue(json: response.body))?.withoutAbsentMembers
    guard let json, let client = try? JSONDecoder().decode(RegisteredClient.self, from: Data(json.json())) else {
      throw OAuthError(
        .invalidResponse, "The registration response from \(server.name) contains no registered client.")
    }
    return client
  }
}

/// The request body for replacing a registration, without the members set only by the server
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
  /// Returns this client with the omitted values from `other`: secret, issue time, registration URL and access token.
  fileprivate func filled(from other: RegisteredClient) -> RegisteredClient {
    RegisteredClient(
      clientID: clientID, clientSecret: clientSecret ?? other.clientSecret,
      clientSecretExpiresAt: clientSecret == nil ? other.clientSecretExpiresAt : clientSecretExpiresAt,
      issuedAt: issuedAt ?? other.issuedAt,
      registrationClientURI: registrationClientURI ?? other.registrationClientURI,
      registrationAccessToken: registrationAccessToken ?? other.registrationAccessToken, metadata: metadata)
  }
}
