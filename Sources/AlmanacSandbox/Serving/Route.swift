// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// A path of the sandbox, with its methods, error format and handler.
struct Route: Sendable {
  /// Handles a request with one of the route's methods.
  typealias Handler = @Sendable (Sandbox, HTTPRequest, ServerProfile) async -> HTTPResponse

  let path: String
  /// The endpoint that the requests are counted as.
  let endpoint: Sandbox.Endpoint
  let methods: [HTTPMethod]
  let form: ErrorForm
  let handler: Handler

  init(
    _ path: String, _ endpoint: Sandbox.Endpoint, _ methods: [HTTPMethod], _ form: ErrorForm = .oauth,
    _ handler: @escaping Handler
  ) {
    self.path = path
    self.endpoint = endpoint
    self.methods = methods
    self.form = form
    self.handler = handler
  }

  func respond(_ sandbox: Sandbox, _ request: HTTPRequest, _ server: ServerProfile) async -> HTTPResponse {
    sandbox.requests.count(endpoint)
    guard methods.contains(request.method) else { return .methodNotAllowed(methods, as: form) }
    return await handler(sandbox, request, server)
  }
}

extension Route {
  /// The endpoints with fixed paths.
  private static let fixed: [Route] = [
    Route("/.well-known/openid-configuration", .metadata, [.get]) {
      .json($0.authorization.metadata(issuer: $2.issuer))
    },
    Route("/.well-known/oauth-authorization-server", .metadata, [.get]) {
      .json($0.authorization.metadata(issuer: $2.issuer))
    },
    Route(Path.keys, .keys, [.get]) { sandbox, _, _ in await sandbox.authorization.keySet() },
    Route(Path.introspection, .introspection, [.post]) { $0.authorization.introspectionResponse(to: $1, at: $2) },
    Route(Path.registration, .registration, [.post]) { $0.authorization.registrationResponse(to: $1, at: $2) },
    Route(Path.pushedAuthorization, .pushedAuthorization, [.post]) { $0.authorization.pushedResponse(to: $1, at: $2) },
    Route(Path.deviceAuthorization, .deviceAuthorization, [.post]) {
      $0.authorization.deviceAuthorizationResponse(to: $1, at: $2)
    },
    Route(Path.device, .device, [.get, .post], .page) { $0.authorization.devicePage(for: $1, at: $2) },
    Route(Path.backchannel, .backchannelAuthentication, [.post]) {
      await $0.authorization.backchannelResponse(to: $1, at: $2)
    },
    Route(Path.revocation, .revocation, [.post]) { $0.authorization.revocationResponse(to: $1, at: $2) },
    Route(Path.userinfo, .userinfo, [.get, .post]) { await $0.authorization.userinfo(for: $1, issuer: $2.issuer) },
    Route(Path.logout, .logout, [.get, .post], .page) { await $0.authorization.logoutResponse(to: $1, at: $2) },
    Route(Path.member, .member, [.get], .meetup) { sandbox, request, _ in sandbox.members.member(for: request) },
    Route(Path.graphQL, .member, [.post], .meetup) { sandbox, request, _ in
      sandbox.members.graphQLResponse(to: request)
    },
    Route(Path.picture, .other, [.get], .page) { sandbox, _, _ in sandbox.authorization.picture() },
    Route(Path.discovery, .metadata, [.get]) { sandbox, request, _ in
      .json(DiscoveryDocument.json(at: sandbox.configuration.effectiveIssuer(for: request.url)))
    },
    Route("/", .other, [.get], .page) {
      .page(WelcomePage(issuer: $2.issuer, user: $0.configuration.user).html)
    },
  ]

  private static let byPath = Dictionary(uniqueKeysWithValues: fixed.map { ($0.path, $0) })

  /// Returns the endpoints with configurable paths.
  private static func own(of server: ServerProfile) -> [Route] {
    [
      Route(server.paths.authorization, .authorization, [.get], .page) {
        $0.authorization.authorizationPage(for: $1, at: $2)
      },
      Route(server.paths.consent, .consent, [.post], .page) { $0.authorization.consentResponse(to: $1, at: $2) },
      Route(server.paths.token, .token, [.post]) { await $0.authorization.tokenResponse(to: $1, at: $2) },
    ]
  }

  /// Returns the client configuration endpoint of a registered client.
  private static func client(_ path: String) -> Route? {
    guard path.hasPrefix(Path.registration + "/") else { return nil }
    let id = String(path.dropFirst(Path.registration.count + 1))
    return Route(path, .registration, [.get, .put, .delete]) {
      $0.authorization.registrationManagementResponse(to: $1, id: id, at: $2)
    }
  }

  /// Returns the metadata endpoint of a protected resource.
  private static func resource(_ path: String, _ sandbox: Sandbox, _ server: ServerProfile) -> Route? {
    guard path.hasPrefix(Path.resourceMetadata),
      let response = sandbox.authorization.resourceMetadata(
        path: path.dropFirst(Path.resourceMetadata.count), issuer: server.issuer)
    else { return nil }
    return Route(path, .metadata, [.get]) { _, _, _ in response }
  }

  /// Returns the endpoint at a path.
  static func at(_ path: String, _ sandbox: Sandbox, _ server: ServerProfile) -> Route? {
    client(path) ?? resource(path, sandbox, server) ?? own(of: server).first { $0.path == path } ?? byPath[path]
  }
}
