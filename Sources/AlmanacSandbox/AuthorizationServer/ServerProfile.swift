// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import Synchronization

/// One of the sandbox's authorization servers, as data: its endpoints, clients, scopes, and deviations from the specification.
///
/// The same code implements all of them.
struct ServerProfile: Sendable {
  /// The identity of a server.
  ///
  /// A server accepts only its own codes and tokens.
  enum Realm: Sendable, Hashable, CaseIterable {
    case google
    case meetup
  }

  /// The paths of the endpoints.
  struct Paths: Sendable {
    let authorization: String
    let token: String

    /// The path the consent page posts to.
    var consent: String { authorization + "/consent" }
  }

  let realm: Realm
  let issuer: String
  /// The server's origin for the current request.
  let origin: String
  let paths: Paths
  let clients: [Sandbox.Client]
  let scopes: [Sandbox.OfferedScope]
  /// The resources for which a token may be requested ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)).
  let resources: Set<String>
  /// The scope of a request that names none.
  ///
  /// If `nil`, the server rejects such a request.
  var defaultScope: String?
  /// The supported grant types, or `nil` for all of the sandbox.
  var grantTypes: Set<String>?
  /// The server's deviations from the specification.
  var dialect: Sandbox.Dialect
}

extension ServerProfile {
  /// Whether the server binds tokens to the key of a proof.
  var knowsProofs: Bool { realm == .google }

  var tokenEndpoint: String { origin + paths.token }
}

extension AuthorizationServer {
  /// Returns the server of a URL.
  func profile(for url: URL) -> ServerProfile {
    let issuer = issuer(for: url)
    guard url.path(percentEncoded: true).hasPrefix(Path.meetup + "/") else {
      return ServerProfile(
        realm: .google, issuer: issuer, origin: issuer,
        paths: .init(
          authorization: configuration.dialect.authorizationPath, token: configuration.dialect.tokenPath),
        clients: configuration.clients + state.withLock { $0.registered.values.map(\.client) },
        scopes: configuration.scopes,
        resources: configuration.resources.union(ProtectedResource.all.map { $0.identifier(at: issuer) }),
        dialect: configuration.dialect)
    }
    return ServerProfile(
      realm: .meetup, issuer: issuer + Path.meetup, origin: issuer,
      paths: .init(authorization: Path.meetup + "/oauth2/authorize", token: Path.meetup + "/oauth2/access"),
      clients: configuration.meetupClients, scopes: OfferedScope.meetup, resources: configuration.resources,
      defaultScope: "basic",
      grantTypes: ["authorization_code", "refresh_token"], dialect: .meetup)
  }
}

extension Sandbox.Dialect {
  /// The dialect of the Meetup-like provider.
  fileprivate static var meetup: Self {
    var dialect = Self()
    dialect.tokenType = "bearer"
    // RFC 6749 § 5.1: if a server grants exactly the requested scopes, it may omit them.
    dialect.grantedScopes = .omitted
    dialect.namesItself = false
    return dialect
  }
}
