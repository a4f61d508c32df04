// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OAuthAccount {
  /// Makes an account for a resource of which only the URL is known, such as a server of the Model Context Protocol.
  ///
  /// ```swift
  /// let account = try await OAuthAccount.discovering(
  ///   resource: url, as: identity, storage: FileTokenStorage(), account: "tools", transport: http, userAgent: browser)
  /// let api = account.transport(for: url, stepUps: 2)    // signs in when it is needed
  /// ```
  ///
  /// See ``ResourceAccess`` for what is found and checked. No user is signed in yet. A client without a secret that was registered
  /// before is found in the stored tokens of this resource, and not registered again.
  ///
  /// A resource chooses the server and the scopes of its sign-in. Show them to the user before the page opens:
  ///
  /// ```swift
  /// let browser = LoopbackUserAgent.systemBrowser { url, _ in print(url) }.confirming { pending in
  ///   print("Sign in at \(pending.issuer) for \(pending.resources): \(pending.scopes)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - resource: The URL of the resource: https, or http to loopback.
  ///   - identity: Who the client is.
  ///   - scopes: The scopes to request; `nil` for those that the resource demands or names.
  ///   - storage: Where tokens are kept.
  ///   - account: The account in the storage.
  ///   - transport: The transport that requests go through.
  ///   - clock: The clock that deadlines and expiry are judged by.
  ///   - userAgent: Shows the server's page to the user; `nil` if this program cannot.
  /// - Throws: As ``ResourceAccess/discover(_:as:transport:)``; `TokenStorageError`.
  public static func discovering(
    resource: URL, as identity: ClientIdentity, scopes: [String]? = nil, storage: some TokenStorage, account: String,
    transport: some Transport, clock: some WallClock = SystemClock(), userAgent: (any UserAgent)? = nil
  ) async throws -> OAuthAccount {
    var identity = identity
    // One with a secret would not get far without it.
    if identity.metadata?.tokenEndpointAuthMethod == "none",
      let stored = try await AccountRecord(account: account, name: account, storage: storage, clock: clock)
        .stored,
      let issuer = stored.issuer, let clientID = stored.clientID, identity.known[issuer] == nil,
      stored.resources.contains(where: { URL(string: $0).map { resource.isAtOrBelow($0) } ?? false })
    {
      identity.known[issuer] = ClientRegistration(clientID: clientID)
    }
    let access = try await ResourceAccess.discover(resource, as: identity, transport: transport)
    let client = try OAuthClient(
      server: access.server, registration: access.registration, transport: transport, clock: clock)
    return OAuthAccount(
      client: client, storage: storage, account: account, scopes: scopes ?? access.scopes,
      parameters: access.parameters, userAgent: userAgent)
  }

  /// Returns a transport that adds this account's token to requests to the origin of `url`, and that signs in when the resource
  /// demands it: for a first token, for more scopes, or for a stronger or newer authentication of the user
  /// ([RFC 6750 § 3.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-3.1),
  /// [RFC 9470](https://www.rfc-editor.org/rfc/rfc9470.html)).
  ///
  /// Requests at the same time share one sign-in, and a demand that was just met is not met again: see ``StepUpTransport``.
  ///
  /// - Parameters:
  ///   - url: Any URL of the resource, https or http to loopback.
  ///   - limit: How many demands are met for one request, and for all requests of the account in ten minutes, after which the
  ///     response is the resource's refusal.
  public func transport(for url: URL, stepUps limit: Int) -> StepUpTransport {
    StepUpTransport(wrapping: transport(for: url), account: self, limit: limit)
  }
}
