// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import PlatformFoundation
public import TokenStore

/// The identity of a client at a discovered authorization server.
///
/// The first applicable member is used, in this order:
/// 1. ``known``, if it contains a client for this server and resource
/// 2. ``metadataURL``, if the server supports metadata documents of clients
/// 3. ``metadata``, for a registration at the server
///
/// ```swift
/// var identity = ClientIdentity(
///   registering: ClientMetadata(
///     clientName: "Reports", redirectURIs: [redirect], tokenEndpointAuthMethod: "none"))
/// identity.metadataURL = URL(string: "https://reports.example/client.json")
/// ```
public struct ClientIdentity: Sendable {
  /// The program's existing clients, such as one from the server's website or an earlier registration.
  ///
  /// Each client is used only for its server and its resources, even if a resource names another server.
  public var known: [KnownClient] = []
  /// The https URL of the client's metadata document, used as its client identifier
  /// ([Client ID Metadata Document](https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/)),
  /// or `nil` for none.
  ///
  /// The URL must have a path. It is sent only to servers whose metadata announces support for such documents.
  public var metadataURL: URL?
  /// The metadata for registrations ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)), or `nil` to never register.
  ///
  /// Without a `ClientMetadata.tokenEndpointAuthMethod`, the client registers with a method listed by the server. See
  /// `ClientMetadata.authenticating(at:)`. Each registration creates a new client. Set the method to `none` to restore
  /// a client from its stored tokens instead.
  public var metadata: ClientMetadata?
  /// The access tokens for servers with protected registration, by issuer.
  ///
  /// A token is sent only to its issuer, even if a resource names another server.
  public var initialAccessTokens: [String: Secret] = [:]
  /// Whether `offline_access` is requested too, for a refresh token, if the server lists this scope
  /// ([OpenID Connect Core § 11](https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess)).
  ///
  /// Defaults to `false`. If there are no other scopes, it is not requested, and the server chooses the scopes.
  public var requestsOfflineAccess = false
  /// A function that reserves space for a new client, before the registration is sent.
  ///
  /// A registration creates a client each time. If the function throws, none is created. Write and synchronize a file
  /// of the size of your largest stored registration, and let ``keep`` replace it.
  public var prepareToKeep: (@concurrent @Sendable (_ issuer: String, _ resource: URL) async throws -> Void)?
  /// A function that stores a newly registered client.
  ///
  /// Add the client to ``known`` in later calls, with this issuer and resource. The function is called before the client is used. The
  /// registration contains secrets if the server issued any.
  public var keep:
    (@concurrent @Sendable (_ client: RegisteredClient, _ issuer: String, _ resource: URL) async throws -> Void)?

  /// Creates an identity.
  ///
  /// - Parameter metadata: The metadata for registrations, or `nil` to never register.
  public init(registering metadata: ClientMetadata? = nil) { self.metadata = metadata }
}

extension ClientIdentity {
  /// Returns the known client at an issuer for the resource at `url`, or `nil` if there is none.
  func client(at issuer: String, for url: URL) -> ClientRegistration? {
    known.first { ServerMetadata.isSameIssuer($0.issuer, issuer) && $0.isFor(url) }?.registration
  }

  /// Returns the client of a server, for the resource at `url`.
  ///
  /// - Throws: `OAuthError` with code `clientRequired` if no member applies to the server or its methods of
  ///   authentication, or with code `invalidConfiguration` for a URL unusable as an identifier. Also the errors of a
  ///   registration.
  func registration(
    at registrar: ClientRegistrar, of server: ServerMetadata, for url: URL, identifiedBy resource: URL
  ) async throws -> ClientRegistration {
    if let registration = client(at: server.issuer, for: url) { return registration }
    if let metadataURL, server.clientIDMetadataDocumentSupported == true {
      try Self.check(metadataURL)
      return ClientRegistration(clientID: metadataURL.absoluteString)
    }
    guard let metadata, server.registrationEndpoint != nil else {
      throw OAuthError(
        .clientRequired,
        "\(server.name) \(reason(at: server)) Register a client on its website, and add it to the known clients.")
    }
    let complete = try metadata.authenticating(at: server)
    try await prepareToKeep?(server.issuer, resource)
    let registered = try await registrar.register(
      complete, initialAccessToken: initialAccessToken(at: server.issuer))
    try await keep?(registered, server.issuer, resource)
    return try registered.registration()
  }

  private func initialAccessToken(at issuer: String) -> Secret? {
    initialAccessTokens[issuer] ?? initialAccessTokens.first { ServerMetadata.isSameIssuer($0.key, issuer) }?.value
  }

  private func reason(at server: ServerMetadata) -> String {
    if metadata != nil { return "does not register clients." }
    if metadataURL != nil { return "does not read the metadata documents of clients." }
    if !known.isEmpty { return "and this resource do not match the known clients." }
    return "has no registered client for this program."
  }

  /// Checks that a URL can be a client identifier: https with a path, and without dot segments, fragment, user and password.
  private static func check(_ url: URL) throws {
    let path = url.path(percentEncoded: true)
    guard url.scheme?.lowercased() == "https", path != "", path != "/", url.fragment() == nil, url.user() == nil,
      url.password() == nil, !url.hasDotSegment
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The client's metadata URL \(OAuthError.printable(url.absoluteString, limit: 200)) must be https and have a path, and no fragment, user or dot segment."
      )
    }
  }
}

/// A program's existing client at one server, for resources specified by the program.
///
/// A resource's metadata names its authorization server, and a hostile resource can name a server trusted by the user.
/// A client that signs in at any such server would send the server's token to the hostile resource. Therefore, a client
/// belongs to a server and to resources:
///
/// ```swift
/// identity.known = [
///   KnownClient(ClientRegistration(clientID: id, secret: secret), issuer: "https://login.example", resources: [url])
/// ]
/// ```
public struct KnownClient: Sendable {
  /// The client's registration.
  public let registration: ClientRegistration
  /// The issuer of the client's server, compared exactly except for a slash after an issuer without a path.
  public let issuer: String
  /// The base URLs of the resources the client can sign in for.
  public let resources: [URL]

  /// Creates a client of one server.
  ///
  /// - Parameters:
  ///   - registration: The client's registration.
  ///   - issuer: The issuer of the client's server.
  ///   - resources: The base URLs of the resources the client can sign in for. Use URLs from the user, the program's
  ///     configuration or ``ClientIdentity/keep``.
  public init(_ registration: ClientRegistration, issuer: String, resources: [URL]) {
    self.registration = registration
    self.issuer = issuer
    self.resources = resources
  }

  /// Returns whether the client can be used for the resource at `url`.
  func isFor(_ url: URL) -> Bool { resources.contains { url.isAtOrBelow($0) } }
}
