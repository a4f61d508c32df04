// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import OAuthScope
public import PlatformFoundation
public import Timekeeping
public import TokenStore

extension OAuthAccount {
  /// Creates an account for a resource from its URL alone, such as a server of the Model Context Protocol.
  ///
  /// ```swift
  /// let account = try await OAuthAccount(
  ///   discovering: url, as: identity, storage: FileTokenStorage(), account: "tools", transport: http, userAgent: browser)
  /// let api = account.transport(for: url, stepUpLimit: 2)    // signs in if needed
  /// ```
  ///
  /// For the discovery and its checks, see ``ResourceAccess``. The initializer does not sign a user in. If the method of the identity's
  /// metadata is `none`, the client is restored from the stored tokens of this resource instead of being registered again.
  ///
  /// The resource chooses the server and the scopes of the sign-in. Show them to the user before the page opens:
  ///
  /// ```swift
  /// let browser = LoopbackUserAgent.systemBrowser { url, _ in print(url) }.confirming { pending in
  ///   print("Sign in at \(pending.issuer) for \(pending.resources): \(pending.scopes)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - resource: The URL of the resource: https, or http to loopback.
  ///   - identity: The client's identity.
  ///   - scopes: The scopes to request. Defaults to those required by the resource, else to those listed in its
  ///     metadata.
  ///   - storage: The token storage.
  ///   - account: The account's name in the storage.
  ///   - transport: The transport for all requests.
  ///   - clock: The clock for deadlines and expiry.
  ///   - userAgent: The user agent for the server's page, or `nil` if this program has none.
  /// - Throws: The errors of ``ResourceAccess/discover(_:as:scopes:transport:)``, or `TokenStorageError`.
  public convenience init(
    discovering resource: URL, as identity: ClientIdentity, scopes: [Scope]? = nil, storage: some TokenStorage,
    account: String,
    transport: some Transport, clock: some WallClock = SystemClock(), userAgent: (any UserAgent)? = nil
  ) async throws {
    var identity = identity
    // A client with a secret cannot be restored, since the record does not contain the secret.
    if identity.metadata?.tokenEndpointAuthMethod == "none",
      let stored = try await AccountRecord(account: account, name: account, storage: storage, clock: clock)
        .stored,
      let issuer = stored.issuer, let clientID = stored.clientID
    {
      identity.known.append(
        KnownClient(
          ClientRegistration(clientID: clientID), issuer: issuer,
          resources: stored.resources.compactMap { URL(string: $0) }))
    }
    let access = try await ResourceAccess.discover(resource, as: identity, scopes: scopes, transport: transport)
    let client = try OAuthClient(
      server: access.server, registration: access.registration, transport: transport, clock: clock)
    self.init(
      client: client, storage: storage, account: account, scopes: access.scopes,
      parameters: access.parameters, userAgent: userAgent)
  }

  /// Returns a transport that adds this account's token to requests to the origin of `url`, and signs in when the resource requires it.
  ///
  /// The resource can require a first token, more scopes, or a stronger or newer authentication of the user
  /// ([RFC 6750 § 3.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-3.1),
  /// [RFC 9470](https://www.rfc-editor.org/rfc/rfc9470.html)). Concurrent requests share one sign-in. A repeated
  /// challenge does not lead to another sign-in immediately. See ``StepUpTransport``.
  ///
  /// - Parameters:
  ///   - url: Any URL of the resource: https, or http to loopback.
  ///   - limit: The maximum number of step-up sign-ins for one request, and for all requests of the account in ten minutes. Beyond the
  ///     limit, the resource's challenge is returned as the response.
  public func transport(for url: URL, stepUpLimit limit: Int) -> StepUpTransport {
    StepUpTransport(wrapping: transport(for: url), account: self, limit: limit)
  }
}
