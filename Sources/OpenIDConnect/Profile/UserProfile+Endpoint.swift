// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
public import OAuthCore
import Support
import TokenStore

extension UserProfile {
  /// Reads the profile of the user whose token `transport` adds
  /// ([OpenID Connect Core § 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo)).
  ///
  /// Redirects within the endpoint's origin are followed. A redirect to another origin is refused, and the token is not sent there.
  ///
  /// If the response is a signed JWT, `verifier` verifies the signature, the issuer, the client and the expiry.
  ///
  /// - Parameters:
  ///   - server: The server, with a userinfo endpoint.
  ///   - transport: A transport with authorization for the endpoint.
  ///   - subject: The subject of the verified ID token, which the profile's must equal, or `nil` if there is none.
  ///   - verifier: The verifier of the server's signatures, or `nil` if the server does not sign profiles.
  ///   - requiringSignature: Whether an unsigned response is rejected. Pass `true` if the client is registered for
  ///     signed responses (`userinfo_signed_response_alg`). Otherwise, an attacker who can change the response can
  ///     remove the signature. Defaults to `false`.
  /// - Throws: Any error of the transport, or `OAuthError` with one of these codes:
  ///   - `unsupported`: There is no userinfo endpoint, or no verifier for a signed response.
  ///   - `signInRequired`: The server rejected the access token.
  ///   - `requestRejected`: The response has another error status.
  ///   - `serverUnavailable`: The server is temporarily unavailable.
  ///   - `invalidResponse`: The response is not a valid profile, lacks the required signature, or redirects to another origin.
  ///   - `issuerMismatch`: The signed response names another issuer.
  public static func read(
    from server: ServerMetadata, transport: some Transport, subject: String? = nil, verifier: IDTokenVerifier? = nil,
    requiringSignature: Bool = false
  ) async throws -> UserProfile {
    guard let endpoint = server.userinfoEndpoint else {
      throw OAuthError(.unsupported, "\(server.name) has no userinfo endpoint.")
    }
    let response = try await transport.send(
      HTTPRequest(
        .get, endpoint,
        fields: ["Accept": requiringSignature ? "application/jwt" : "application/json, application/jwt"],
        redirectScope: .sameOrigin))
    // Another origin does not receive the token, so its response cannot describe the user.
    guard response.redirectedOrigin == nil, !response.isRedirect else {
      throw OAuthError(
        .invalidResponse,
        "The userinfo endpoint of \(server.name) redirects to another origin, which is not allowed. The token was not sent there. Report the error to the server's operator."
      )
    }
    try checkStatus(of: response, from: server)
    guard !requiringSignature || response.isSigned else {
      throw OAuthError(
        .invalidResponse,
        "The userinfo endpoint of \(server.name) returned an unsigned profile, but a signed one is required. Check that the client is registered for signed profiles."
      )
    }
    guard let profile = UserProfile(claims: try await claims(in: response, from: server, verifier: verifier)) else {
      throw OAuthError(
        .invalidResponse, "The response of the userinfo endpoint of \(server.name) is not a profile with a subject.")
    }
    // § 5.3.2: another user's profile must not be used.
    guard subject.map({ ConstantTime.equal($0, profile.subject) }) ?? true else {
      throw OAuthError(
        .invalidResponse, "The profile belongs to a different user than the one who signed in. Sign in again.")
    }
    return profile
  }

  private static func checkStatus(of response: HTTPResponse, from server: ServerMetadata) throws(OAuthError) {
    if response.status == 401 {
      // The transport has already refreshed the token and repeated the request.
      throw OAuthError(
        .signInRequired, "The userinfo endpoint of \(server.name) rejected the access token. Sign in again.")
    }
    guard response.isSuccess else {
      let isPassing = response.isTransientFailure
      throw OAuthError(
        isPassing ? .serverUnavailable : .requestRejected,
        "The userinfo endpoint of \(server.name) responded with status \(response.status)"
          + (isPassing
            ? ". Try again later."
            : ". If the scope openid was not granted, request it. Otherwise, check the endpoint."))
    }
  }

  @concurrent private static func claims(
    in response: HTTPResponse, from server: ServerMetadata, verifier: IDTokenVerifier?
  ) async throws -> JSONValue {
    guard response.isSigned else {
      let claims = (try? JSONValue(json: response.body, requiringUniqueNames: true)) ?? .null
      try ServerLimits.check(claims: claims.object ?? [:], of: "profile of \(server.name)")
      return claims
    }
    guard let verifier else {
      throw OAuthError(
        .unsupported, "The userinfo endpoint of \(server.name) returned a signed profile. Pass an IDTokenVerifier.")
    }
    return try await verifier.signedProfile(
      Secret(String(decoding: ByteOrderMark.dropped(from: response.body), as: UTF8.self)))
  }
}

extension HTTPResponse {
  /// Whether the response is a redirect not followed by the transport.
  fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) && fields["Location"] != nil }

  /// Whether the body is a JWT, by its `Content-Type`.
  fileprivate var isSigned: Bool {
    fields["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } == "application/jwt"
  }
}

extension OAuthAccount {
  /// Reads the user's profile from the server's userinfo endpoint.
  ///
  /// The scopes `openid`, `email` and `profile` determine its content. If the sign-in returned an ID token, the profile must have the same
  /// subject. The account's ``IDTokenVerifier`` verifies a signed profile. An account without one uses a verifier with default values,
  /// whose keys all calls share.
  ///
  /// - Parameter requiringSignature: Whether an unsigned profile is rejected. Pass `true` if the client is registered for signed profiles
  ///   (`userinfo_signed_response_alg`). Defaults to `false`.
  /// - Throws: The errors of ``UserProfile/read(from:transport:subject:verifier:requiringSignature:)``, or
  ///   `TokenStorageError`.
  public func profile(requiringSignature: Bool = false) async throws -> UserProfile {
    let subject = try await storedToken?.idToken.flatMap { IDTokenClaims.subject(ofVerified: $0) }
    let origins = Set([client.server.userinfoEndpoint.flatMap { Origin($0) }].compactMap(\.self))
    return try await UserProfile.read(
      from: client.server, transport: transport(for: origins), subject: subject, verifier: idTokenVerifier,
      requiringSignature: requiringSignature)
  }

  private var idTokenVerifier: IDTokenVerifier {
    if let verifier = verifier as? IDTokenVerifier { return verifier }
    let client = client
    return client.companions.value { IDTokenVerifier(of: client) }
  }
}

extension IDTokenVerifier {
  /// Creates a verifier with default values.
  fileprivate init(of client: OAuthClient) {
    self.init(client: client, transport: client.transport, clock: client.clock)
  }
}
