// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A transport that adds an access token to every request, and replaces a token that is rejected.
///
/// For the code that sends through it, it is a transport like any other. The token goes to the named origins only, over https
/// or loopback; a request to any other origin fails before it is sent. A response of 401 leads to one new token and one more
/// attempt, and requests that are rejected at the same time share that one new token.
public struct AuthorizedTransport: Transport {
  private let base: any Transport
  private let tokens: any TokenSource
  private let presentation: any TokenPresentation
  private let origins: [Origin]
  private let sending = RepeatedSending()

  /// Creates an authorized transport.
  ///
  /// - Parameters:
  ///   - base: The transport that sends.
  ///   - tokens: The source of access tokens.
  ///   - origins: The origins that may see the token.
  ///   - presentation: How the token is presented. Defaults to what the type of the token requires.
  public init(
    wrapping base: some Transport, tokens: some TokenSource, origins: Set<Origin>,
    presentation: some TokenPresentation = .automatic
  ) {
    self.base = base
    self.tokens = tokens
    self.presentation = presentation
    self.origins = origins.filter(\.isSecure)
  }

  /// Sends `request` with an access token.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/originNotAllowed``, or
  ///   ``OAuthError/Code/unsupportedTokenType`` if the token cannot be presented; what the token source and the base transport
  ///   throw.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A list: there are one or two, and to compare them takes less than a hash.
    guard let origin = request.origin, origins.contains(origin) else {
      throw OAuthError(
        .originNotAllowed,
        "The access token may not be sent to \(request.origin?.description ?? "this URL"). Name its origin when you make the transport: https, or http to a loopback address."
      )
    }
    let token = try await TransportError.preparing { try await tokens.accessToken() }
    let (response, isRejected) = try await send(request, with: token)
    guard isRejected else { return response }
    var request = request
    request.repeatAttempt(of: response)
    let new = try await TransportError.preparing { try await tokens.accessToken(replacing: token) }
    return try await send(request, with: new).response
  }

  /// Sends `request` with `token`, again if the authorization requests it.
  private func send(
    _ request: HTTPRequest, with token: AccessToken
  ) async throws -> (response: HTTPResponse, isRejected: Bool) {
    var request = request
    return try await sending.outcome(at: token.isBound ? request.origin : nil, isTakingTurns: token.isBound) {
      var authorized = request
      try await presentation.authorize(&authorized, with: token)
      let response = try await base.send(authorized)
      request.repeatAttempt(of: response)
      // After a redirect to another origin, which does not see the token, the response does not concern it.
      guard response.redirectedOrigin == nil else { return ((response, false), false) }
      let isToBeRepeated = await presentation.shouldRetry(authorized, after: response)
      return ((response, response.status == 401 && !isToBeRepeated && !response.refusesProof), isToBeRepeated)
    }
  }
}

extension Transport {
  /// Returns a transport that adds an access token to every request.
  ///
  /// See ``AuthorizedTransport``.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens.
  ///   - origins: The origins that may see the token.
  ///   - presentation: How the token is presented. Defaults to what the type of the token requires.
  public func authorized(
    by tokens: some TokenSource, for origins: Set<Origin>, presentation: some TokenPresentation = .automatic
  ) -> AuthorizedTransport {
    AuthorizedTransport(wrapping: self, tokens: tokens, origins: origins, presentation: presentation)
  }

  /// Returns a transport that adds an access token to every request to the origins of URLs, given as text.
  ///
  /// A text that is no URL adds no origin: requests to it fail.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens.
  ///   - urls: URLs of the APIs that may see the token.
  ///   - presentation: How the token is presented. Defaults to what the type of the token requires.
  public func authorized(
    by tokens: some TokenSource, for urls: [String], presentation: some TokenPresentation = .automatic
  ) -> AuthorizedTransport {
    authorized(by: tokens, for: Set(urls.compactMap { Origin($0) }), presentation: presentation)
  }

  /// Returns a transport that adds an access token to every request to the origins of URLs.
  ///
  /// A URL whose origin may not see a token, neither https nor http to loopback, adds none: requests to it fail.
  ///
  /// - Parameters:
  ///   - tokens: The source of access tokens.
  ///   - urls: URLs of the APIs that may see the token.
  ///   - presentation: How the token is presented. Defaults to what the type of the token requires.
  public func authorized(
    by tokens: some TokenSource, for urls: [URL], presentation: some TokenPresentation = .automatic
  ) -> AuthorizedTransport {
    authorized(by: tokens, for: Set(urls.compactMap { Origin($0) }), presentation: presentation)
  }
}
