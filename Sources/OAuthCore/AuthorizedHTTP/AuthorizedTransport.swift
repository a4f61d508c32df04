// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation

/// A transport that adds an access token to every request, and replaces a rejected token.
///
/// The token is sent to the allowed origins only, over https or to loopback. A request to any other origin fails before
/// it is sent. After a response with status 401, the transport obtains one new token and sends the request once more.
/// Concurrently rejected requests share the new token.
public struct AuthorizedTransport: Transport {
  private let base: any Transport
  private let tokens: any TokenSource
  private let presentation: any TokenPresentation
  private let origins: [Origin]
  private let sending = RepeatedSending()

  /// Creates an authorized transport.
  ///
  /// - Parameters:
  ///   - base: The transport for the requests.
  ///   - tokens: The source of access tokens.
  ///   - origins: The origins allowed to receive the token.
  ///   - presentation: The token presentation. Defaults to the presentation of `tokens`.
  public init(
    wrapping base: some Transport, tokens: some TokenSource, origins: Set<Origin>,
    presentation: (any TokenPresentation)? = nil
  ) {
    self.base = base
    self.tokens = tokens
    self.presentation = presentation ?? tokens.presentation
    self.origins = origins.filter(\.isSecure)
  }

  /// Sends `request` with an access token.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/originNotAllowed``, or with code
  ///   ``OAuthError/Code/unsupportedTokenType`` if the presentation does not support the token's type. Also the errors
  ///   of the token source, the presentation and the base transport.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // An array: there are one or two origins, and comparing them is faster than hashing.
    guard let origin = request.origin, origins.contains(origin) else {
      throw OAuthError(
        .originNotAllowed,
        "The access token may not be sent to \(request.origin?.description ?? "this URL"). Name its origin when you create the transport: https, or http to a loopback address."
      )
    }
    let isWithinCall = CallContext.current != nil
    let token = try await token(replacing: nil, isWithinCall)
    // The call begins with its first exchange: a token request is a separate one.
    var call = isWithinCall ? nil : Call.begin(timeout: request.timeout)
    defer { Call.end(&call) }
    let (response, isRejected) = try await send(request, with: token, beginning: call)
    guard isRejected else { return response }
    let new = try await self.token(replacing: token, isWithinCall)
    return try await send(request, with: new, beginning: call).response
  }

  private func token(
    replacing rejected: AccessToken?, _ isWithinCall: Bool
  ) async throws -> AccessToken {
    guard isWithinCall else { return try await tokens.accessToken(replacing: rejected) }
    return try await TransportError.preparing { try await tokens.accessToken(replacing: rejected) }
  }

  /// Sends `request` with `token`, and repeats it if the presentation requires it.
  ///
  /// It does not run on the caller's actor: a busy one would keep the turn of the origin.
  ///
  /// - Parameter call: The call beginning here, or `nil` within a call.
  @concurrent private func send(
    _ request: HTTPRequest, with token: AccessToken, beginning call: Call?
  ) async throws -> (response: HTTPResponse, isRejected: Bool) {
    try await sending.outcome(at: token.isBound ? request.origin : nil) {
      var authorized = request
      let response: HTTPResponse
      if let call {
        try await authorize(&authorized, with: token)
        response = try await CallContext.send(authorized, by: base, within: call)
      } else {
        try await TransportError.preparing { try await authorize(&authorized, with: token) }
        response = try await base.send(authorized)
      }
      // After a redirect to another origin, the response does not concern the token, which that origin did not receive.
      guard response.redirectedOrigin == nil else { return ((response, false), false) }
      let isToBeRepeated = await presentation.shouldRetry(authorized, after: response)
      return ((response, response.status == 401 && !isToBeRepeated && !response.refusesProof), isToBeRepeated)
    }
  }

  private func authorize(_ request: inout HTTPRequest, with token: AccessToken) async throws {
    guard token.isBound else { return try await presentation.authorize(&request, with: token) }
    try await sign(&request, with: token)
  }

  /// Adds a token with its proof, whose signature takes 50 µs.
  @concurrent private func sign(_ request: inout HTTPRequest, with token: AccessToken) async throws {
    try await presentation.authorize(&request, with: token)
  }
}

extension Transport {
  /// Returns a transport that adds an access token to every request.
  ///
  /// See ``AuthorizedTransport``.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens, which also defines their presentation.
  ///   - origins: The origins allowed to receive the token.
  public func authorized(by tokens: some TokenSource, for origins: Set<Origin>) -> AuthorizedTransport {
    AuthorizedTransport(wrapping: self, tokens: tokens, origins: origins)
  }

  /// Returns a transport that adds an access token to every request, with another presentation than its source's.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens.
  ///   - origins: The origins allowed to receive the token.
  ///   - presentation: The token presentation, instead of the source's.
  public func authorized(
    by tokens: some TokenSource, for origins: Set<Origin>, presentation: some TokenPresentation
  ) -> AuthorizedTransport {
    AuthorizedTransport(wrapping: self, tokens: tokens, origins: origins, presentation: presentation)
  }

  /// Returns a transport that adds an access token to every request to the origins of URL strings.
  ///
  /// An invalid URL string adds no origin.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens, which also defines their presentation.
  ///   - urls: The URLs of the APIs allowed to receive the token.
  public func authorized(by tokens: some TokenSource, for urls: [String]) -> AuthorizedTransport {
    authorized(by: tokens, for: Set(urls.compactMap { Origin($0) }))
  }

  /// Returns a transport that adds an access token to every request to the origins of URLs.
  ///
  /// Only https URLs, and http URLs to loopback, add an origin. Requests to other URLs fail.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens, which also defines their presentation.
  ///   - urls: The URLs of the APIs allowed to receive the token.
  public func authorized(by tokens: some TokenSource, for urls: [URL]) -> AuthorizedTransport {
    authorized(by: tokens, for: Set(urls.compactMap { Origin($0) }))
  }
}
