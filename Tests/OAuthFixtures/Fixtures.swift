// SPDX-License-Identifier: Apache-2.0

package import AlmanacTesting
package import Foundation
package import HTTPTransport
package import OAuthCore
package import OAuthScope
package import Testing
package import Timekeeping
package import TokenStore

/// A server and client that the tests of this module talk about.
package enum Fixtures {
  package static let redirect = URL(literal: "http://127.0.0.1:4711/callback")

  package static func server(issRequired: Bool? = nil) -> ServerMetadata {
    ServerMetadata(
      issuer: "https://login.example",
      authorizationEndpoint: URL(literal: "https://login.example/authorize"),
      tokenEndpoint: URL(literal: "https://login.example/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://login.example/revoke")
      $0.authorizationResponseIssParameterSupported = issRequired
    }
  }

  /// The server with an endpoint for every request.
  package static var fullServer: ServerMetadata {
    var server = server()
    server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
    server.introspectionEndpoint = URL(literal: "https://login.example/introspect")
    server.pushedAuthorizationRequestEndpoint = URL(literal: "https://login.example/par")
    server.registrationEndpoint = URL(literal: "https://login.example/register")
    return server
  }

  /// A provider and a client's registration, as a test changes them.
  package struct Parties {
    package var provider: Provider
    package var registration: ClientRegistration
    package var server: ServerMetadata {
      get { provider.server }
      set { provider.server = newValue }
    }
  }

  package static func client(
    _ transport: some Transport = StubTransport(), server: ServerMetadata = server(),
    authentication: any ClientAuthentication = .none, clock: ManualClock = ManualClock(),
    set: (inout Parties) throws -> Void = { _ in }
  ) throws -> OAuthClient {
    var parties = Parties(
      provider: Provider(name: "Login", server: server),
      registration: ClientRegistration(clientID: "app", authentication: authentication))
    try set(&parties)
    return try OAuthClient(
      provider: parties.provider, registration: parties.registration, transport: transport, clock: clock)
  }

  package static func json(_ text: String, status: Int = 200, date: Timestamp? = nil) -> HTTPResponse {
    var fields: HTTPFields = ["Content-Type": "application/json"]
    if let date { fields["Date"] = HTTPDate.format(date) }
    return HTTPResponse(status: status, fields: fields, body: Array(text.utf8))
  }

  /// The claims of a signed statement in the order of their names, without the identifier, which is random.
  package static func claims(_ payload: [UInt8]) throws -> String {
    var claims = try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    let identifier = try #require(claims.removeValue(forKey: "jti") as? String)
    #expect(identifier.utf8.count == 43)
    let data = try JSONSerialization.data(withJSONObject: claims, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  package static func callback(_ pending: PendingAuthorization, _ query: String) throws -> URL {
    let query = query.replacingOccurrences(of: "STATE", with: pending.state.reveal())
    return try #require(URL(string: pending.redirectURI.absoluteString + "?" + query))
  }

  package static func expired(_ clock: ManualClock, refreshToken: String? = "refresh-1") -> StoredToken {
    StoredToken(
      accessToken: Secret("access-1"), expiresAt: clock.now - .seconds(1),
      refreshToken: refreshToken.map { Secret($0) },
      scopes: ["read"], issuer: "https://login.example", clientID: "app")
  }
}

extension InMemoryTokenStorage {
  /// A storage that holds one account.
  package static func holding(_ token: StoredToken, as account: String = "me") async throws -> InMemoryTokenStorage {
    let storage = InMemoryTokenStorage()
    try await storage.withExclusiveAccess(to: account) { try await $0.write(token) }
    return storage
  }
}

extension HTTPRequest {
  /// The parameters of a form.
  package var form: FormFields { FormEncoding.form.decode(String(decoding: body ?? [], as: UTF8.self)) }
}

extension OAuthClient {
  /// Begins an authorization at the usual redirect URI.
  package func begin(
    _ scopes: [Scope] = [], parameters: AuthorizationParameters = [:]
  ) async throws -> PendingAuthorization {
    try await beginAuthorization(scopes: scopes, redirectURI: Fixtures.redirect, parameters: parameters)
  }

  /// Begins an authorization and completes it with a callback of a query, in which `STATE` stands for the state.
  @discardableResult
  package func signIn(_ scopes: [Scope] = [], by query: String = "code=c&state=STATE") async throws -> StoredToken {
    let pending = try await begin(scopes)
    return try await completeAuthorization(pending, callback: Fixtures.callback(pending, query))
  }
}

extension PendingAuthorization {
  /// The parameters of the authorization request.
  package var query: FormFields {
    FormEncoding.form.decode(authorizationURL.query(percentEncoded: true) ?? "")
  }
}

/// Expects that `body` fails with an ``OAuthError`` of `code`, whose message names `remedy`.
///
/// Every message is a sentence, and contains no secret: those of the tests contain `s3cret`.
@discardableResult
package func expectError<Result>(
  _ code: OAuthError.Code, _ remedy: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async -> OAuthError? {
  let error = await #expect(throws: OAuthError.self, sourceLocation: sourceLocation) { _ = try await body() }
  guard let error else { return nil }
  let isSound =
    error.message.hasSuffix(".") && (remedy.isEmpty || error.message.contains(remedy)) && !"\(error)".contains("s3cret")
  #expect(error.code == code && isSound, "\(error.code): \(error.message)", sourceLocation: sourceLocation)
  return error
}

extension StoredToken {
  /// Returns the token with another expiry.
  package func expiring(at time: Timestamp) -> StoredToken {
    var token = self
    token.expiresAt = time
    return token
  }
}
