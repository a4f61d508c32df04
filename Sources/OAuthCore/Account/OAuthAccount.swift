// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthScope
public import PlatformFoundation
import Support
import Synchronization
public import TokenStore

/// One user's authorization at one server, from sign-in to revocation.
///
/// ```swift
/// let account = OAuthAccount(client: client, storage: FileTokenStorage(), account: "me", scopes: scopes, userAgent: browser)
/// try await account.authorize()                               // stored token, else refresh, else the browser
/// let http = account.transport(for: [origin])                 // adds the token to every request
/// try await account.revoke()
/// ```
///
/// Any number of tasks can use it: concurrent callers of ``authorize()`` share one refresh and one sign-in.
public final class OAuthAccount: Sendable {
  /// The client.
  public let client: OAuthClient
  /// The account's name in the storage.
  public var account: String { tokens.account }
  /// The scopes to request at sign-in.
  public let scopes: [Scope]
  /// The source of the account's access tokens, which never opens a browser.
  public let tokens: RefreshingTokenSource

  /// The account's name in errors.
  var name: String { tokens.record.name ?? account }

  let userAgent: (any UserAgent)?
  let parameters: AuthorizationParameters
  /// The rule for whether granted scopes cover another scope.
  let scopeRule: ScopeRule
  package let verifier: (any TokenVerifier)?
  /// The latest step-up sign-ins, over all transports of the account.
  package let stepUps: StepUps
  private let broadcast = EventBroadcast<SignInEvent>()
  private let signInUnderWay = Mutex<SharedTask<AccessToken>?>(nil)

  /// Creates an account.
  ///
  /// The initializer reads and sends nothing.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - storage: The token storage.
  ///   - account: The account's name in the storage. If the record belongs to another client, calls throw ``OAuthError`` with code
  ///     ``OAuthError/Code/clientMismatch``.
  ///   - scopes: The scopes to request.
  ///   - parameters: Further parameters of an authorization request, in the browser or on another device, in addition to the
  ///     provider's. If a stored token is not for the ``AuthorizationParameters/resources`` among them, calls throw ``OAuthError`` with
  ///     code ``OAuthError/Code/resourceMismatch``. An enforced ``AuthorizationParameters/authentication`` needs the scope `openid` and
  ///     a `verifier`. Without them, a sign-in throws ``OAuthError/Code/invalidConfiguration`` before a page is shown.
  ///   - userAgent: The user agent for the server's page, or `nil` if this program has none, as on a server.
  ///   - verifier: The verifier of a sign-in's tokens, which is called before they are stored.
  ///   - scopeRule: The rule for whether granted scopes cover another scope. Defaults to ``ScopeRule/exact``.
  ///   - name: The account's name in errors. Defaults to `account`.
  public init(
    client: OAuthClient, storage: some TokenStorage, account: String, scopes: [Scope],
    parameters: AuthorizationParameters = [:],
    userAgent: (any UserAgent)? = nil, verifier: (any TokenVerifier)? = nil, scopeRule: ScopeRule = .exact,
    name: String? = nil
  ) {
    self.client = client
    self.scopes = scopes
    self.scopeRule = scopeRule
    self.parameters = parameters
    self.userAgent = userAgent
    self.verifier = verifier
    stepUps = StepUps(clock: client.clock)
    tokens = RefreshingTokenSource(
      client: client, storage: storage, account: account, name: name,
      resources: parameters.resources.map(\.absoluteString), report: broadcast.send)
  }

  /// A new stream of the account's sign-in events from now on.
  ///
  /// It buffers the newest 64 events.
  public var signInEvents: AsyncStream<SignInEvent> { broadcast.stream() }

  /// The tokens as stored, or `nil` if no user is signed in.
  ///
  /// - Throws: `TokenStorageError`.
  public var storedToken: StoredToken? {
    get async throws { try await tokens.record.stored }
  }

  /// Whether tokens are stored, even if they have expired or been revoked.
  ///
  /// - Throws: `TokenStorageError`.
  public var isSignedIn: Bool {
    get async throws { try await storedToken != nil }
  }

  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in in the browser.
  ///
  /// It also signs in for new scopes of the account. A scope is new if it was not requested before and the granted
  /// scopes do not cover it by the account's ``ScopeRule``. The sign-in requests all previously requested scopes too,
  /// and its login hint names the same user. It takes place once: a denied scope is missing from the token's scopes and
  /// is not requested again.
  ///
  /// Without a user agent, and for tokens stored by an earlier release, the method does not sign in for new scopes.
  ///
  /// If the user has no browser on this machine, call ``authorizeOnDevice(parameters:_:)``.
  ///
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/subjectMismatch`` if another user signs in for new scopes.
  ///   Also `TransportError`, `TokenStorageError`, and `CancellationError`, immediately, when the current task is
  ///   cancelled. A transient failure never opens the browser.
  @discardableResult
  public func authorize() async throws -> AccessToken {
    let token: StoredToken
    do {
      token = try await tokens.currentRecord()
    } catch let error as OAuthError where error.code == .signInRequired {
      return try await sharedSignIn {
        // A sign-in may have ended since the storage was read.
        if let token = await self.tokens.record.currentToken { return AccessToken(token) }
        return try await self.performSignIn()
      }
    }
    guard userAgent != nil, lacksNewScopes(token) else { return AccessToken(token) }
    return try await sharedSignIn {
      try await self.signInForNewScopes(besides: token) { try await self.performSignIn(scopes: $0, continuing: $1) }
    }
  }

  /// Signs in through the browser, even if tokens are stored, and stores the new ones.
  ///
  /// The storage is checked first: if it cannot store tokens, no page is shown.
  ///
  /// Concurrent calls share one sign-in. When all of them are cancelled, the sign-in is cancelled too.
  ///
  /// - Parameters:
  ///   - prompt: The prompts for the user, in addition to the provider's. A call that joins another sign-in uses that
  ///     sign-in's prompts.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  ///   - parameters: Further parameters of the request, in addition to the account's. A call with parameters joins no other
  ///     sign-in, but waits for its end.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/invalidConfiguration`` for an enforced
  ///   ``AuthorizationParameters/authentication`` without the scope `openid` or a verifier. Also `TransportError`,
  ///   `TokenStorageError` and `CancellationError`. The stored tokens are kept.
  @discardableResult
  public func signIn(
    prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil, parameters: AuthorizationParameters = [:]
  ) async throws -> AccessToken {
    guard parameters != [:] else {
      return try await sharedSignIn { try await self.performSignIn(prompt: prompt, loginHint: loginHint) }
    }
    try client.checkAuthenticationIsVerified(
      requesting: scopes, self.parameters.merging(parameters), hasVerifier: verifier != nil)
    let own = AuthorizationParameters(prompt: prompt, loginHint: loginHint)
    return try await signIn(scopes: scopes, parameters: parameters.merging(own), continuing: nil)
  }

  /// Signs in for other scopes than the account's.
  ///
  /// If another sign-in is in progress, the method waits for it, so the user never sees two pages at once. It returns the token of that
  /// sign-in if the token covers the scopes and there are no further parameters.
  ///
  /// - Parameter stored: The tokens whose user is to sign in again, or `nil` for any user.
  func signIn(
    scopes: [Scope], parameters: AuthorizationParameters, continuing stored: StoredToken?
  ) async throws -> AccessToken {
    while true {
      let isOwn = Mutex(false)
      do {
        let token = try await sharedSignIn {
          isOwn.withLock { $0 = true }
          return try await self.performSignIn(scopes: scopes, parameters: parameters, continuing: stored)
        }
        if isOwn.withLock({ $0 }) || (parameters == [:] && areCovered(scopes, by: token.scopes)) { return token }
      } catch {
        // The failure of another sign-in is not that of this one.
        if isOwn.withLock({ $0 }) || parameters == [:] { throw error }
        try Task.checkCancellation()
      }
    }
  }

  private func sharedSignIn(_ signIn: @escaping @Sendable () async throws -> AccessToken) async throws -> AccessToken {
    let name = name
    return try await signInUnderWay.withLock {
      SharedTask.join(&$0) { try await OAuthError.naming(account: name, signIn) }
    }.value()
  }

  func performSignIn(
    scopes: [Scope]? = nil, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
    parameters: AuthorizationParameters = [:], continuing stored: StoredToken? = nil
  ) async throws -> AccessToken {
    guard let userAgent else {
      throw OAuthError(
        .signInRequired,
        stored == nil
          ? "No user is signed in. Begin a sign-in."
          : "The stored tokens are not sufficient. Begin a sign-in for more scopes.")
    }
    let scopes = scopes ?? self.scopes
    let loginHint =
      loginHint ?? stored?.loginHint(allowsSubject: client.provider.quirks.acceptsSubjectAsLoginHint)
    try client.checkAuthenticationIsVerified(requesting: scopes, self.parameters, hasVerifier: verifier != nil)
    try await tokens.record.checkWritable()
    let response = try await userAgent.authorize {
      // `parameters` comes from a resource's challenge or a checked call. The check above omits it, since a resource verifies the access
      // token itself.
      try await self.client.makeAuthorization(
        scopes: scopes, redirectURI: $0, prompt: prompt, loginHint: loginHint,
        parameters: self.parameters.merging(parameters))
    }
    try Task.checkCancellation()
    return try await completeSignIn(response.pending, callback: response.callback, continuing: stored)
  }

  /// Begins a sign-in for a browser controlled by the caller.
  ///
  /// A web server redirects the user's browser to the `authorizationURL` and keeps the value in the session until the callback arrives.
  ///
  /// - Parameters:
  ///   - redirectURI: The redirect URI.
  ///   - prompt: The prompts for the user, in addition to the provider's.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  ///   - parameters: Further parameters of the request, in addition to the account's.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/invalidConfiguration`` for an enforced
  ///   ``AuthorizationParameters/authentication`` without the scope `openid` or a verifier, or `TokenStorageError` if
  ///   the storage cannot store the tokens. Also `TransportError` and `CancellationError`.
  public func beginSignIn(
    redirectURI: URL, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
    parameters: AuthorizationParameters = [:]
  ) async throws -> PendingAuthorization {
    let parameters = self.parameters.merging(parameters)
    try client.checkAuthenticationIsVerified(requesting: scopes, parameters, hasVerifier: verifier != nil)
    try await tokens.record.checkWritable()
    return try await client.beginAuthorization(
      scopes: scopes, redirectURI: redirectURI, prompt: prompt, loginHint: loginHint, parameters: parameters)
  }

  /// Completes a sign-in with the callback URL, and stores the new tokens.
  ///
  /// The code is sent only after the storage has reserved space for the tokens. If it cannot, the code is not spent, and the call can
  /// be repeated. Once the code is sent, the exchange is completed even if the current task is cancelled. If the verifier rejects the
  /// tokens, they are revoked. If they cannot be stored, they are revoked unless the storage holds other tokens of the account.
  ///
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, `CancellationError`. The stored tokens are kept.
  @discardableResult
  public func completeSignIn(_ pending: PendingAuthorization, callback: URL) async throws -> AccessToken {
    try await completeSignIn(pending, callback: callback, continuing: nil)
  }

  private func completeSignIn(
    _ pending: PendingAuthorization, callback: URL, continuing stored: StoredToken?
  ) async throws -> AccessToken {
    try await shielded { [self] in
      // Before the lock, which a callback without a code does not need.
      let code = try client.code(of: pending, callback: callback)
      let isSpent = Mutex(false)
      do {
        return try await store(continuing: stored) { slot in
          try await self.client.exchange(code, of: pending) {
            try await slot.prepare(&$0, spending: code)
            isSpent.withLock { $0 = true }
          }
        } ifAccepted: {
          try await $1.verify($0, for: pending)
        }
      } catch {
        if !isSpent.withLock(\.self) { client.reopen(pending) }
        throw error
      }
    }
  }

  /// Obtains the tokens of a sign-in, and stores them after the verifier has accepted them, all with exclusive access.
  ///
  /// - Parameters:
  ///   - stored: The tokens whose user must have signed in, or `nil` for any user.
  ///   - obtain: Obtains the tokens. It prepares the slot before it sends the code.
  ///   - verify: Calls the verifier.
  func store(
    continuing stored: StoredToken?, _ obtain: @escaping @Sendable (any TokenSlot) async throws -> StoredToken,
    ifAccepted verify: @escaping @Sendable (StoredToken, any TokenVerifier) async throws -> Void
  ) async throws -> AccessToken {
    let unstored = Mutex<StoredToken?>(nil)
    do {
      return AccessToken(
        try await tokens.record.replace { [self] slot in
          let token = try await obtain(slot)
          do {
            if let verifier { try await verify(token, verifier) }
          } catch {
            await client.revokeUnstored(token)
            throw error
          }
          // Another user's tokens stay valid: revoking them could end that user's sign-in under another account name.
          if let stored { try token.checkSubject(isThatOf: stored) }
          unstored.withLock { $0 = token }
          return token
        })
    } catch {
      // Some servers revoke the whole authorization, including the stored tokens of an earlier sign-in.
      if let token = unstored.withLock(\.self), await isKnownToHoldNoTokens { await client.revokeUnstored(token) }
      throw error
    }
  }

  /// Whether the storage holds no tokens of the account, or `false` if the storage cannot be read.
  private var isKnownToHoldNoTokens: Bool {
    get async { do { return try await storedToken == nil } catch { return false } }
  }

  /// Revokes the authorization at the server, then removes the stored tokens.
  ///
  /// Without stored tokens, it does nothing.
  ///
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, `CancellationError`. The stored tokens are then kept, and the call
  ///   can be repeated.
  public func revoke() async throws {
    try await tokens.record.remove(after: client.revoke)
  }

  /// Removes the stored tokens without revoking the authorization at the server.
  ///
  /// Use it for servers without a revocation endpoint, and on devices without a network connection.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  public func signOut() async throws {
    try await tokens.record.remove()
  }

  /// Returns a transport that adds this account's token to requests to `origins` only.
  ///
  /// - Parameters:
  ///   - origins: The origins allowed to receive the token.
  ///   - base: The transport for the requests. Defaults to the client's.
  ///   - presentation: The token presentation. Defaults to the presentation of ``tokens``.
  public func transport(
    for origins: Set<Origin>, over base: (any Transport)? = nil, presentation: (any TokenPresentation)? = nil
  ) -> AuthorizedTransport {
    let base = base ?? client.transport
    return AuthorizedTransport(wrapping: base, tokens: tokens, origins: origins, presentation: presentation)
  }
}

extension OAuthAccount {
  /// Returns a transport that adds this account's token to requests to the origin of `url` only.
  ///
  /// - Parameter url: Any URL of the API: https, or http to loopback. With another URL, every request fails.
  public func transport(for url: URL) -> AuthorizedTransport {
    transport(for: Set([Origin(url)].compactMap(\.self)))
  }

  /// Returns a transport that adds this account's token to requests to the origins of URL strings only.
  ///
  /// An invalid URL string adds no origin.
  ///
  /// - Parameter urls: Any URL of each API: https, or http to loopback.
  public func transport(for urls: [String]) -> AuthorizedTransport {
    transport(for: Set(urls.compactMap { Origin($0) }))
  }
}
