// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One of the sandbox's authorization servers, as data: where it is, who may use it, and how it differs from others.
///
/// All are served by the same code.
struct ServerProfile: Sendable {
  /// Which server it is.
  ///
  /// What one has issued is nothing to another.
  enum Realm: Sendable, Hashable, CaseIterable {
    case google
    case meetup
  }

  /// The paths of the endpoints.
  struct Paths: Sendable {
    let authorization: String
    let token: String

    /// What the consent page posts to.
    var consent: String { authorization + "/consent" }
  }

  let realm: Realm
  let issuer: String
  /// The origin that the server has, for the request at hand.
  let origin: String
  let paths: Paths
  let clients: [Sandbox.Client]
  let scopes: [Sandbox.Scope]
  /// The resources that a token may be requested for ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)).
  let resources: Set<String>
  /// What is requested where a request names no scope; `nil` refuses such a request.
  var defaultScope: String?
  /// The grants of the server; `nil` for all that the sandbox has.
  var grantTypes: Set<String>?
  /// How the server speaks where it differs from the specification.
  var dialect: Sandbox.Dialect
}

extension ServerProfile {
  /// Whether it binds tokens to the key of a proof.
  var knowsProofs: Bool { realm == .google }

  var tokenEndpoint: String { origin + paths.token }
}

extension AuthorizationServer {
  /// The server that a URL belongs to.
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
      clients: configuration.meetupClients, scopes: Scope.meetup, resources: configuration.resources,
      defaultScope: "basic",
      grantTypes: ["authorization_code", "refresh_token"], dialect: .meetup)
  }
}

extension Sandbox.Dialect {
  /// That of the Meetup-like provider.
  fileprivate static var meetup: Self {
    var dialect = Self()
    dialect.tokenType = "bearer"
    // RFC 6749 § 5.1: a server that grants what was requested need not say so.
    dialect.grantedScopes = .omitted
    dialect.namesItself = false
    return dialect
  }
}
