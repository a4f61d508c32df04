// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Support
import Synchronization
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One user's authorization at one server, from sign-in to revocation.
///
/// ```swift
/// let account = OAuthAccount(client: client, storage: FileTokenStorage(), account: "me", scopes: scopes, userAgent: browser)
/// try await account.authorize()                               // stored token, else refresh, else the browser
/// let http = account.transport(for: [origin])                 // every request bears the token
/// try await account.revoke()
/// ```
///
/// Any number of tasks may use it: callers of ``authorize()`` share one refresh and one browser.
public final class OAuthAccount: Sendable {
  /// The client.
  public let client: OAuthClient
  /// The account in the storage.
  public var account: String { tokens.account }
  /// The scopes that a sign-in requests.
  public let scopes: [String]
  /// The access tokens of the stored authorization.
  ///
  /// It never shows a browser.
  public let tokens: RefreshingTokenSource

  /// The account's name in errors.
  var name: String { tokens.record.name ?? account }

  let userAgent: (any UserAgent)?
  let parameters: AuthorizationParameters
  /// The rule for scopes that granted ones cover.
  let scopeRule: ScopeRule
  package let verifier: (any TokenVerifier)?
  /// One for all transports of the account, so that they share what the servers said about proofs.
  private let presentation: AutomaticPresentation
  /// The latest demands of resources, over all transports of the account.
  package let stepUps: StepUps
  private let broadcast = EventBroadcast<SignInEvent>()
  private let signInUnderWay = Mutex<SharedTask<AccessToken>?>(nil)

  /// Creates an account.
  ///
  /// Nothing is read or sent yet.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - storage: Where tokens are kept.
  ///   - account: The account in the storage, which belongs to this client: the record of another one is refused with
  ///     ``OAuthError/Code/clientMismatch``.
  ///   - scopes: The scopes to request.
  ///   - parameters: Further parameters of a request for authorization, in the browser or on another device, in addition to the
  ///     provider's. A stored token that is not for the ``AuthorizationParameters/resources`` among them is refused with
  ///     ``OAuthError/Code/resourceMismatch``. An ``AuthorizationParameters/authentication`` that is enforced needs the scope
  ///     `openid` and a `verifier`; a sign-in without them fails with ``OAuthError/Code/invalidConfiguration`` before a page is
  ///     shown.
  ///   - userAgent: Shows the server's page to the user; `nil` if this program cannot, as on a server.
  ///   - verifier: Checks the tokens of a sign-in before they are stored.
  ///   - scopeRule: Says which scopes the granted ones cover. Defaults to those with the same name.
  ///   - name: The account's name in errors. Defaults to `account`.
  public init(
    client: OAuthClient, storage: some TokenStorage, account: String, scopes: [String],
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
    presentation = AutomaticPresentation(clock: client.clock)
    stepUps = StepUps(clock: client.clock)
    tokens = RefreshingTokenSource(
      client: client, storage: storage, account: account, name: name,
      resources: parameters.resources.map(\.absoluteString), report: broadcast.send)
  }

  /// What happens from now on: a stream of its own for every call.
  public var signInEvents: AsyncStream<SignInEvent> { broadcast.stream() }

  /// The tokens as stored, or `nil` if no user is signed in.
  ///
  /// - Throws: `TokenStorageError`.
  public var storedToken: StoredToken? {
    get async throws { try await tokens.record.stored }
  }

  /// Whether tokens are stored, which may have expired or been revoked.
  ///
  /// - Throws: `TokenStorageError`.
  public var isSignedIn: Bool {
    get async throws { try await storedToken != nil }
  }

  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in in the browser.
  ///
  /// It also signs in for scopes of the account that are new: that were not requested before, and that those granted do not
  /// cover by the account's ``ScopeRule``. The sign-in requests all scopes that were requested before too, and its login hint
  /// names the same user. It takes place once: a scope that the user refuses is missing from the token's scopes, and is not
  /// requested again. Without a user agent, and for tokens that an earlier release stored, the stored token is returned.
  ///
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/subjectMismatch`` if another user signs in for new scopes;
  ///   `TransportError`, `TokenStorageError`; `CancellationError`, promptly, when the current task is cancelled. A fault that
  ///   may pass never opens the browser.
  @discardableResult
  public func authorize() async throws -> AccessToken {
    let token: StoredToken
    do {
      token = try await tokens.currentRecord()
    } catch let error as OAuthError where error.code == .signInRequired {
      return try await sharedSignIn {
        // A sign-in may have ended between the look at the storage and here.
        if let token = await self.tokens.record.currentToken { return AccessToken(token) }
        return try await self.performSignIn()
      }
    }
    guard userAgent != nil, lacksNewScopes(token) else { return AccessToken(token) }
    return try await sharedSignIn {
      try await self.signInForNewScopes(besides: token) { try await self.performSignIn(scopes: $0, continuing: $1) }
    }
  }

  /// Signs in through the browser, also if tokens are stored, and stores the new ones.
  ///
  /// The storage is checked first: no page is shown if the tokens could not be stored.
  ///
  /// Calls at the same time share one sign-in. When all of them are cancelled, the sign-in ends and its port is closed.
  ///
  /// - Parameters:
  ///   - prompt: What the server asks of the user, in addition to what the provider needs. A call that shares the sign-in of
  ///     another shares its prompt.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, `CancellationError`. What was stored is kept.
  @discardableResult
  public func signIn(prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil) async throws
    -> AccessToken
  {
    try await sharedSignIn { try await self.performSignIn(prompt: prompt, loginHint: loginHint) }
  }

  /// Signs in for other scopes than the account's.
  ///
  /// It shares a sign-in that is under way if that brings the scopes, and else follows it: no user is shown two pages at once.
  ///
  /// - Parameter stored: The tokens whose user is to sign in again; `nil` for any user.
  func signIn(
    scopes: [String], parameters: AuthorizationParameters, continuing stored: StoredToken?
  ) async throws -> AccessToken {
    while true {
      let isOwn = Mutex(false)
      let token = try await sharedSignIn {
        isOwn.withLock { $0 = true }
        return try await self.performSignIn(scopes: scopes, parameters: parameters, continuing: stored)
      }
      if isOwn.withLock({ $0 }) || (parameters == [:] && areCovered(scopes, by: token.scopes)) { return token }
    }
  }

  private func sharedSignIn(_ signIn: @escaping @Sendable () async throws -> AccessToken) async throws -> AccessToken {
    let name = name
    return try await signInUnderWay.withLock {
      SharedTask.join(&$0) { try await OAuthError.naming(account: name, signIn) }
    }.value()
  }

  func performSignIn(
    scopes: [String]? = nil, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
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
      // `parameters` is the demand of a resource, which verifies the access token itself, so the check above leaves it out.
      try await self.client.makeAuthorization(
        scopes: scopes, redirectURI: $0, prompt: prompt, loginHint: loginHint,
        parameters: self.parameters.merging(parameters))
    }
    try Task.checkCancellation()
    return try await completeSignIn(response.pending, callback: response.callback, continuing: stored)
  }

  /// Begins a sign-in whose page another program shows: a web server redirects the user's browser to the `authorizationURL` and
  /// keeps the value in the session until the callback arrives.
  ///
  /// - Parameters:
  ///   - redirectURI: Where the server sends the user back to.
  ///   - prompt: What the server asks of the user, in addition to what the provider needs.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``, such as for an
  ///   ``AuthorizationParameters/authentication`` without the scope `openid` or a verifier; `TokenStorageError` if the tokens
  ///   could not be stored.
  public func beginSignIn(
    redirectURI: URL, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil
  ) async throws -> PendingAuthorization {
    try client.checkAuthenticationIsVerified(requesting: scopes, parameters, hasVerifier: verifier != nil)
    try await tokens.record.checkWritable()
    return try await client.beginAuthorization(
      scopes: scopes, redirectURI: redirectURI, prompt: prompt, loginHint: loginHint, parameters: parameters)
  }

  /// Completes a sign-in with the URL of the callback, and stores the new tokens.
  ///
  /// Once the code is sent, the work is carried through even if the current task is cancelled. Tokens that the verifier refuses
  /// are revoked. So are tokens that cannot be stored, provided that the storage holds no other tokens of the account.
  ///
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, `CancellationError`. What was stored is kept.
  @discardableResult
  public func completeSignIn(_ pending: PendingAuthorization, callback: URL) async throws -> AccessToken {
    try await completeSignIn(pending, callback: callback, continuing: nil)
  }

  private func completeSignIn(
    _ pending: PendingAuthorization, callback: URL, continuing stored: StoredToken?
  ) async throws -> AccessToken {
    try await shielded { [self] in
      let token = try await client.completeAuthorization(pending, callback: callback)
      return try await store(token, continuing: stored) { try await $0.verify(token, for: pending) }
    }
  }

  /// Stores the tokens of a sign-in once the verifier has accepted them.
  ///
  /// - Parameters:
  ///   - token: The tokens.
  ///   - stored: Tokens of the user who has to have signed in; `nil` for any user.
  ///   - verify: Calls the verifier.
  func store(
    _ token: StoredToken, continuing stored: StoredToken? = nil,
    ifAccepted verify: (any TokenVerifier) async throws -> Void
  ) async throws -> AccessToken {
    do {
      if let verifier { try await verify(verifier) }
    } catch {
      // Tokens that are kept nowhere must not stay valid. The reason to report is the verification's.
      try? await client.revoke(token, within: .seconds(10))
      throw error
    }
    // They stay valid: to revoke them would end the other user's sign-in under another name, if there is one.
    if let stored { try token.checkSubject(isThatOf: stored) }
    do {
      try await tokens.record.replace(with: token)
    } catch {
      // The same holds for tokens that cannot be stored. But some servers revoke the whole authorization, and the stored tokens of an
      // earlier sign-in with it.
      if await isKnownToHoldNoTokens { try? await client.revoke(token, within: .seconds(10)) }
      throw error
    }
    return AccessToken(token)
  }

  /// Whether the storage holds no tokens of the account; `false` if the storage cannot be read.
  private var isKnownToHoldNoTokens: Bool {
    get async { do { return try await storedToken == nil } catch { return false } }
  }

  /// Revokes the authorization at the server, then removes the stored tokens.
  ///
  /// Without stored tokens it does nothing.
  ///
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, `CancellationError`; the stored tokens are then kept,
  ///   so that the call can be repeated.
  public func revoke() async throws {
    try await tokens.record.remove(after: client.revoke)
  }

  /// Removes the stored tokens and leaves the authorization at the server as it is: for servers without a revocation
  /// endpoint, and for devices that are handed on without a network.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  public func signOut() async throws {
    try await tokens.record.remove()
  }

  /// Returns a transport that adds this account's token to requests to `origins`, and to no others.
  ///
  /// - Parameters:
  ///   - origins: The origins that may see the token.
  ///   - base: The transport that sends. Defaults to the client's own.
  ///   - presentation: How the token is presented; `nil` for what its type requires.
  public func transport(
    for origins: Set<Origin>, over base: (any Transport)? = nil, presentation: (any TokenPresentation)? = nil
  ) -> AuthorizedTransport {
    let presentation: any TokenPresentation = presentation ?? self.presentation
    return (base ?? client.transport).authorized(by: tokens, for: origins, presentation: presentation)
  }
}

extension OAuthAccount {
  /// Returns a transport that adds this account's token to requests to the origin of `url`, and to no other.
  ///
  /// - Parameter url: Any URL of the API, https or http to loopback. With another URL every request fails.
  public func transport(for url: URL) -> AuthorizedTransport {
    transport(for: Set([Origin(url)].compactMap(\.self)))
  }
}
