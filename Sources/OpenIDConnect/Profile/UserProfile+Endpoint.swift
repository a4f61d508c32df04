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
  /// A response that is a signed JWT is accepted if `verifier` finds it signed by the server, for the client and not expired.
  ///
  /// - Parameters:
  ///   - server: The server, with a userinfo endpoint.
  ///   - transport: A transport that is authorized for that endpoint.
  ///   - subject: The subject of the verified ID token, which the profile's must equal; `nil` if there is none.
  ///   - verifier: The verifier of the server's signatures; `nil` if the server does not sign profiles.
  ///   - requiringSignature: Whether a response that is not signed is refused: for a client that is registered for signed ones
  ///     (`userinfo_signed_response_alg`). Without it, an attacker who can change the response can remove the signature.
  /// - Throws: `OAuthError` with code `unsupported` if there is no such endpoint, or no verifier for a signed response;
  ///   `signInRequired`, `requestRejected` or `serverUnavailable` by the response's status, `invalidResponse` or `issuerMismatch`
  ///   if the response is no profile, or not signed as is required; any error of the transport.
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
        fields: ["Accept": requiringSignature ? "application/jwt" : "application/json, application/jwt"]))
    try checkStatus(of: response, from: server)
    guard !requiringSignature || response.isSigned else {
      throw OAuthError(
        .invalidResponse,
        "The userinfo endpoint of \(server.name) sends a profile that is not signed, although a signed one is required. Check that the client is registered for it."
      )
    }
    guard let profile = UserProfile(claims: try await claims(in: response, from: server, verifier: verifier)) else {
      throw OAuthError(
        .invalidResponse, "The response of the userinfo endpoint of \(server.name) is not a profile with a subject.")
    }
    // § 5.3.2: what another user's profile says must not be used.
    guard subject.map({ ConstantTime.equal($0, profile.subject) }) ?? true else {
      throw OAuthError(.invalidResponse, "The profile is another user's than the one who signed in. Sign in again.")
    }
    return profile
  }

  private static func checkStatus(of response: HTTPResponse, from server: ServerMetadata) throws(OAuthError) {
    if response.status == 401 {
      // The transport has refreshed and retried already.
      throw OAuthError(
        .signInRequired, "The userinfo endpoint of \(server.name) did not accept the access token. Sign in again.")
    }
    guard response.isSuccess else {
      let isPassing = response.isTransientFailure
      throw OAuthError(
        isPassing ? .serverUnavailable : .requestRejected,
        "The userinfo endpoint of \(server.name) responded with status \(response.status)"
          + (isPassing ? ". Try again later." : ": the scope openid may not have been granted."))
    }
  }

  private static func claims(
    in response: HTTPResponse, from server: ServerMetadata, verifier: IDTokenVerifier?
  ) async throws -> JSONValue {
    guard response.isSigned else {
      return (try? JSONValue(json: response.body, requiringUniqueNames: true)) ?? .null
    }
    guard let verifier else {
      throw OAuthError(
        .unsupported, "The userinfo endpoint of \(server.name) sends a signed profile. Pass an IDTokenVerifier.")
    }
    return try await verifier.signedProfile(Secret(String(decoding: response.body, as: UTF8.self)))
  }
}

extension HTTPResponse {
  /// Whether the content is a JWT, by its type.
  fileprivate var isSigned: Bool {
    fields["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } == "application/jwt"
  }
}

extension OAuthAccount {
  /// Reads who the user is, from the server's userinfo endpoint.
  ///
  /// The scopes `openid`, `email` and `profile` say how much.
  ///
  /// The profile must be that of the user who signed in, if the sign-in brought an ID token. A profile that the server signs is
  /// verified by the account's ``IDTokenVerifier``, or by one with default values, whose keys all calls share.
  ///
  /// - Parameter requiringSignature: Whether a profile that is not signed is refused: for a client that is registered for signed
  ///   ones (`userinfo_signed_response_alg`).
  /// - Throws: What ``UserProfile/read(from:transport:subject:verifier:requiringSignature:)`` throws; `TokenStorageError`.
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
  /// A verifier with default values.
  fileprivate init(of client: OAuthClient) {
    self.init(client: client, transport: client.transport, clock: client.clock)
  }
}
