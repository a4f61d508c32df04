// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import OAuthJOSE
public import OAuthScope
import PlatformFoundation
import Synchronization
public import Timekeeping

/// The Google Cloud servers that issue credentials, and Cloud Run services that require them, in this process.
///
/// The servers are the token endpoint, the Security Token Service, the IAM Credentials API, the Cloud Key Management Service and
/// the metadata server, each at Google's URL. They are as strict as Google's: they reject an invalid assertion, token or request for the same reason.
///
/// ```swift
/// let cloud = GoogleCloudSandbox(clock: clock)
/// let transport = cloud.transport()              // serves oauth2.googleapis.com, metadata.google.internal and the others
/// ```
///
/// A ``Sandbox`` with ``Sandbox/Configuration/googleCloud`` creates one of its own: ``Sandbox/googleCloud``.
///
/// Any number of tasks can use a sandbox concurrently.
public final class GoogleCloudSandbox: Sendable {
  /// The configuration of the sandbox.
  public let configuration: Configuration

  let clock: any WallClock
  /// The signing key of ID tokens.
  let signingKey: SigningKeyHolder
  /// Google's signing key for all service accounts.
  let accountKey = SigningKeyHolder(algorithm: .rs256)
  let state = Mutex(State())

  /// The mutable state of the sandbox.
  struct State {
    var accessTokens: [SecretDigest: Identity] = [:]
    /// The contents of the ciphertexts.
    var encrypted: [Data: Encrypted] = [:]
  }

  /// Creates a sandbox.
  ///
  /// - Parameters:
  ///   - clock: The clock for lifetimes.
  ///   - configuration: The accounts, pools and services.
  public init(clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()) {
    self.clock = clock
    self.configuration = configuration
    signingKey = SigningKeyHolder(algorithm: configuration.idTokenAlgorithm)
  }

  /// Returns the response to a request, depending on the host of its URL.
  public func respond(to request: HTTPRequest) async -> HTTPResponse { await respond(to: request, sentTo: request.url) }

  /// - Parameter url: The URL to which the client sent the request, if the sandbox is served at another origin.
  @concurrent func respond(to request: HTTPRequest, sentTo url: URL) async -> HTTPResponse {
    var response = await route(request, sentTo: url)
    response.fields["Date"] = HTTPDate.format(clock.now)
    return response
  }

  /// Returns a transport that serves Google's hosts in this process, without a socket.
  ///
  /// All other hosts are unreachable. So is the metadata server if no account is attached.
  public func transport() -> some Transport { GoogleCloudTransport(sandbox: self) }

  /// Returns the identity of an access token, or `nil` if the token is unknown or has expired.
  public func identity(ofAccessToken token: String) -> Identity? {
    let identity = state.withLock { $0.accessTokens[SecretDigest(of: token)] }
    return identity.flatMap { clock.now < $0.expiresAt ? $0 : nil }
  }

  /// Invalidates all access tokens issued so far.
  public func invalidateAccessTokens() { state.withLock { $0.accessTokens = [:] } }
}

extension GoogleCloudSandbox {
  /// The identity of an access token's holder.
  public struct Identity: Sendable, Hashable {
    /// The account's e-mail address, or the principal of a pool.
    public let principal: String
    /// The e-mail address of the user a service account acts for.
    public let subject: String?
    /// The scopes of the token.
    public let scopes: [Scope]
    /// The expiry of the token.
    public let expiresAt: Timestamp
  }
}

private struct GoogleCloudTransport: Transport {
  let sandbox: GoogleCloudSandbox

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    try request.validate()
    guard sandbox.serves(request.url) else {
      throw TransportError(
        .unreachable, "The sandbox does not serve \(Origin(request.url)?.description ?? "this URL").")
    }
    let response = await sandbox.respond(to: request)
    try Task.checkCancellation()
    return response
  }
}
