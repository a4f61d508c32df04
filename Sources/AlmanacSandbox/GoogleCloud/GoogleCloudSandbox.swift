// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import OAuthJOSE
import Synchronization
public import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The servers of Google Cloud that give credentials, and a service on Cloud Run that asks for one, in this process: the token
/// endpoint, the Security Token Service, the IAM Credentials API and the metadata server, each at the URL that Google's has.
///
/// It is strict where Google is: an assertion, a token or a request that Google would refuse is refused here, for the same reason.
///
/// ```swift
/// let cloud = GoogleCloudSandbox(clock: clock)
/// let transport = cloud.transport()              // serves oauth2.googleapis.com, metadata.google.internal and the others
/// ```
///
/// Any number of tasks may use one at the same time.
public final class GoogleCloudSandbox: Sendable {
  /// How the sandbox is set up.
  public let configuration: Configuration

  private let currentClock: Mutex<any WallClock>
  /// The key of ID tokens.
  let signingKey: SigningKeyHolder
  /// The key that Google holds for every service account.
  let accountKey = SigningKeyHolder(algorithm: .rs256)
  let state = Mutex(State())

  /// What changes while the sandbox runs.
  struct State {
    var accessTokens: [SecretDigest: Identity] = [:]
  }

  /// Creates a sandbox.
  ///
  /// - Parameters:
  ///   - clock: The clock of lifetimes. A ``Sandbox`` with this sandbox in ``Sandbox/Configuration/googleCloud`` replaces it by its
  ///     own.
  ///   - configuration: Accounts, pools and services.
  public init(clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()) {
    currentClock = Mutex(clock)
    self.configuration = configuration
    signingKey = SigningKeyHolder(algorithm: configuration.idTokenAlgorithm)
  }

  var clock: any WallClock { currentClock.withLock { $0 } }

  /// Follows the clock of the sandbox that serves this one, which would otherwise disagree with it about a token's expiry.
  func follow(_ clock: any WallClock) { currentClock.withLock { $0 = clock } }

  /// Responds to one request, by the host of its URL.
  public func respond(to request: HTTPRequest) async -> HTTPResponse { await respond(to: request, sentTo: request.url) }

  /// - Parameter url: The URL that the client sent the request to, where the sandbox is served at another origin than Google's.
  func respond(to request: HTTPRequest, sentTo url: URL) async -> HTTPResponse {
    var response = await route(request, sentTo: url)
    response.fields["Date"] = HTTPDate.format(clock.now)
    return response
  }

  /// Returns a transport that serves Google's hosts in this process, without any socket.
  ///
  /// Every other host is unreachable through it, and so is the metadata server if there is none.
  public func transport() -> some Transport { GoogleCloudTransport(sandbox: self) }

  /// Returns whose access token it is; `nil` for one that was not issued here or has expired.
  public func identity(ofAccessToken token: String) -> Identity? {
    let identity = state.withLock { $0.accessTokens[SecretDigest(of: token)] }
    return identity.flatMap { clock.now < $0.expiresAt ? $0 : nil }
  }

  /// Makes every access token that has been issued invalid now.
  public func invalidateAccessTokens() { state.withLock { $0.accessTokens = [:] } }
}

extension GoogleCloudSandbox {
  /// Whose an access token is.
  public struct Identity: Sendable, Hashable {
    /// The account's e-mail address, or the principal of a pool.
    public let principal: String
    /// The user that a service account acts for.
    public let subject: String?
    /// What it may be used for.
    public let scopes: [String]
    /// When it expires.
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
