// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import LoopbackHTTP
public import OAuthCore
import OAuthJOSE
public import PlatformFoundation

extension Sandbox {
  /// Returns a transport that serves one origin in this process, without a socket.
  ///
  /// With ``Configuration/googleCloud``, it serves Google Cloud's hosts, too. All other origins are unreachable.
  ///
  /// - Parameter url: Any URL of the origin.
  public func transport(at url: URL = inProcessURL) -> some Transport {
    SandboxTransport(sandbox: self, origin: Origin(url))
  }

  /// Serves the sandbox on a loopback address until the server is stopped.
  ///
  /// - Parameters:
  ///   - family: The loopback address.
  ///   - port: The port, or 0 for a port chosen by the system.
  /// - Returns: The server. Its `url` is the base URL and, unless ``Configuration/issuer`` is set, the issuer.
  /// - Throws: `LoopbackError`.
  public func serve(on family: LoopbackServer.Family = .ipv4, port: Int = 0) async throws -> LoopbackServer {
    try await LoopbackServer.start(on: family, port: port) { [self] request in await respond(to: request) }
  }
}

private struct SandboxTransport: Transport {
  let sandbox: Sandbox
  let origin: Origin?

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    try request.validate()
    guard let origin, Origin(request.url) == origin else {
      if let cloud = sandbox.googleCloud, cloud.serves(request.url) {
        return try await cloud.transport().send(request)
      }
      throw TransportError(.unreachable, "The sandbox serves one origin, and the request is for another.")
    }
    let response = await sandbox.respond(to: request)
    try Task.checkCancellation()
    return response
  }
}

// Values for creating clients of the sandbox.
extension Sandbox {
  /// The sandbox's URL in a test without a server: `https://sandbox.invalid`.
  public static let inProcessURL = URL(literal: "https://sandbox.invalid/")

  /// Returns the sandbox as a provider.
  ///
  /// - Parameter url: The URL of the sandbox: ``inProcessURL``, or the URL of a server from ``serve(on:port:)``.
  public func provider(at url: URL = inProcessURL) -> Provider {
    let endpoint = { (path: String) in url.appending(path: path) }
    let server = ServerMetadata(
      issuer: configuration.effectiveIssuer(for: url),
      authorizationEndpoint: endpoint(configuration.dialect.authorizationPath),
      tokenEndpoint: endpoint(configuration.dialect.tokenPath)
    ) {
      $0.revocationEndpoint = endpoint(Path.revocation)
      $0.userinfoEndpoint = endpoint(Path.userinfo)
      $0.jwksURI = endpoint(Path.keys)
      $0.deviceAuthorizationEndpoint = endpoint(Path.deviceAuthorization)
      $0.authorizationResponseIssParameterSupported = true
      $0.pushedAuthorizationRequestEndpoint = endpoint(Path.pushedAuthorization)
      $0.requirePushedAuthorizationRequests = configuration.requiresPushedAuthorizationRequests
      $0.endSessionEndpoint = endpoint(Path.logout)
      $0.dpopSigningAlgValuesSupported = configuration.proofs?.algorithms.map(\.rawValue).sorted()
      $0.introspectionEndpoint = endpoint(Path.introspection)
      $0.registrationEndpoint = configuration.registrationAccess == nil ? nil : endpoint(Path.registration)
    }
    return Provider(name: "Almanac Sandbox", server: server)
  }

  /// Returns the sandbox's second provider, which resembles Meetup.
  ///
  /// The provider expects the client's secret as a form parameter, writes the token type in lower case, and issues no ID token.
  /// `member/self` is at `meetup/2/member/self`.
  ///
  /// - Parameter url: The URL of the sandbox: ``inProcessURL``, or the URL of a server from ``serve(on:port:)``.
  public func meetupProvider(at url: URL = inProcessURL) -> Provider { .meetup.hosted(at: meetupURL(at: url)) }

  /// Returns the base URL of the Meetup-like provider and its API.
  ///
  /// - Parameter url: The URL of the sandbox.
  public func meetupURL(at url: URL = inProcessURL) -> URL { url.appending(path: "meetup/") }

  /// A browser whose user allows every request immediately.
  public var approvingUser: some UserAgent { SandboxUser(sandbox: self, denies: false) }

  /// A browser whose user denies every request.
  public var denyingUser: some UserAgent { SandboxUser(sandbox: self, denies: true) }
}

private struct SandboxUser: UserAgent {
  let sandbox: Sandbox
  let denies: Bool

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    // The URL is only returned, so no server needs to listen there.
    let pending = try await begin(URL(literal: "http://127.0.0.1:49152/callback"))
    try Task.checkCancellation()
    let callback = denies ? try sandbox.deny(pending.authorizationURL) : try sandbox.approve(pending.authorizationURL)
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}
