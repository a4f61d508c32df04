// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Who a client is at an authorization server that it did not know before.
///
/// The members that are set are tried in this order: a client that is ``known`` to the server, the one that is ``given`` for this server and
/// resource, the client's own document at ``metadataURL``, and a registration with ``metadata``.
///
/// ```swift
/// var identity = ClientIdentity(
///   registering: ClientMetadata(
///     clientName: "Reports", redirectURIs: [redirect], tokenEndpointAuthMethod: "none"))
/// identity.metadataURL = URL(string: "https://reports.example/client.json")
/// ```
public struct ClientIdentity: Sendable {
  /// The clients that servers have registered, by the servers' issuers.
  public var known: [String: ClientRegistration] = [:]
  /// A client that was registered beforehand, for the server and the resources that the caller names; `nil` for none.
  ///
  /// It is not used anywhere else, whichever server a resource names.
  public var given: GivenClient?
  /// The https URL with a path at which the client publishes its metadata, and which is its identifier
  /// ([Client ID Metadata Document](https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/)); `nil` for none.
  ///
  /// It is used at servers that say that they read such documents.
  public var metadataURL: URL?
  /// What the client registers with ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)); `nil` to register nowhere.
  ///
  /// Without a `ClientMetadata.tokenEndpointAuthMethod` it registers with one that the server lists: see
  /// `ClientMetadata.authenticating(at:)`.
  /// Each registration makes another client. One without a secret is found again in the tokens that were stored for it.
  public var metadata: ClientMetadata?
  /// The tokens that servers require which do not register every client, by the servers' issuers.
  ///
  /// A token goes to its issuer alone, whichever server a resource names.
  public var initialAccessTokens: [String: Secret] = [:]
  /// Whether `offline_access` is requested too, for a refresh token, where the server lists that scope
  /// ([OpenID Connect Core § 11](https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess)).
  ///
  /// Defaults to `false`. Without any other scope it is not requested: the server then chooses the scopes.
  public var requestsOfflineAccess = false
  /// Keeps a client that was registered, so that it is ``known`` the next time.
  ///
  /// It is called before the client is used. The registration holds secrets if the server gave any.
  public var keep: (@Sendable (_ client: RegisteredClient, _ issuer: String) async throws -> Void)?

  /// Creates an identity that registers where it must.
  ///
  /// - Parameter metadata: What the client registers with; `nil` to register nowhere.
  public init(registering metadata: ClientMetadata? = nil) { self.metadata = metadata }
}

extension ClientIdentity {
  /// Returns the client of a server, for the resource at `url`.
  ///
  /// - Throws: `OAuthError` with code `clientRequired` if nothing that is set can be used there,
  ///   `invalidConfiguration` for a URL that cannot be an identifier; what a registration throws.
  func registration(
    at registrar: ClientRegistrar, of server: ServerMetadata, for url: URL
  ) async throws -> ClientRegistration {
    if let registration = known[server.issuer] { return registration }
    if let given, given.belongs(to: server, url) { return given.registration }
    if let metadataURL, server.clientIDMetadataDocumentSupported == true {
      try Self.check(metadataURL)
      return ClientRegistration(clientID: metadataURL.absoluteString)
    }
    guard let metadata, server.registrationEndpoint != nil else {
      throw OAuthError(
        .clientRequired,
        "\(server.name) \(reason(at: server)) Register a client on its pages, and name it as one that is known there.")
    }
    let registered = try await registrar.register(
      metadata.authenticating(at: server), initialAccessToken: initialAccessTokens[server.issuer])
    try await keep?(registered, server.issuer)
    return try registered.registration()
  }

  private func reason(at server: ServerMetadata) -> String {
    if metadata != nil { return "does not register clients." }
    if given != nil { return "and this resource are not those of the client that was given." }
    if metadataURL != nil { return "does not read the metadata documents of clients." }
    return "knows no client of this program."
  }

  /// Checks that a URL can be a client identifier: https, with a path, without dot segments, fragment and user.
  private static func check(_ url: URL) throws {
    let path = url.path(percentEncoded: true)
    guard url.scheme?.lowercased() == "https", path != "", path != "/", url.fragment() == nil, url.user() == nil,
      url.password() == nil, !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The client's metadata URL \(OAuthError.printable(url.absoluteString, limit: 200)) must be https and have a path, and no fragment, user or dot segment."
      )
    }
  }
}

/// A client that was registered beforehand at one server, for resources that the caller names.
///
/// The metadata of a resource name its authorization server, and a hostile resource can name a server that the user trusts. A client
/// that signs in wherever a resource says would then obtain that server's token for the hostile resource. So the caller
/// names both sides:
///
/// ```swift
/// identity.given = GivenClient(
///   ClientRegistration(clientID: id, secret: secret), issuer: "https://login.example", resources: [url])
/// ```
public struct GivenClient: Sendable {
  /// The client.
  public let registration: ClientRegistration
  /// The issuer that knows the client, compared exactly.
  public let issuer: String
  /// The URLs of the resources that the client may sign in for, with all below them.
  public let resources: [URL]

  /// Creates a client of one server.
  ///
  /// - Parameters:
  ///   - registration: The client.
  ///   - issuer: The issuer that knows the client.
  ///   - resources: The URLs of the resources that the client may sign in for. Take them from the user or the program's
  ///     configuration, never from a response.
  public init(_ registration: ClientRegistration, issuer: String, resources: [URL]) {
    self.registration = registration
    self.issuer = issuer
    self.resources = resources
  }

  /// Whether the client may be used at a server for the resource at `url`.
  func belongs(to server: ServerMetadata, _ url: URL) -> Bool {
    issuer == server.issuer && resources.contains { url.isAtOrBelow($0) }
  }
}

extension URL {
  /// Whether this URL has the origin of `base`, and its path or one below.
  func isAtOrBelow(_ base: URL) -> Bool {
    guard let origin = Origin(self), origin == Origin(base) else { return false }
    let (base, path) = (base.path(percentEncoded: true), path(percentEncoded: true))
    return base.isEmpty || base == "/" || path == base || path.hasPrefix(base.hasSuffix("/") ? base : base + "/")
  }
}
