public import HTTPTransport
import Synchronization
public import Timekeeping

/// One application at one authorization server: begins and completes authorizations, refreshes and revokes tokens.
///
/// A client keeps no tokens; ``RefreshingTokenSource`` does that on top. Copies share what was already completed, so that a
/// ``PendingAuthorization`` counts once. Any number of tasks may use it.
public struct OAuthClient: Sendable {
  /// The server.
  public let server: ServerMetadata
  /// The application as the server knows it.
  public let registration: ClientRegistration
  let transport: any Transport
  let clock: any WallClock
  package let completed = CompletedAuthorizations()

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - server: The server's endpoints.
  ///   - registration: The application as the server knows it.
  ///   - transport: The transport that requests go through.
  ///   - clock: The clock that deadlines and expiry are judged by.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if an endpoint is plain http beyond loopback,
  ///   or the client identifier is empty.
  public init(
    server: ServerMetadata, registration: ClientRegistration, transport: some Transport,
    clock: some WallClock = SystemClock()
  ) throws {
    try server.validate()
    guard !registration.clientID.isEmpty else {
      throw OAuthError(.invalidConfiguration, "The client identifier is empty. Use the one that the provider gave.")
    }
    self.server = server
    self.registration = registration
    self.transport = transport
    self.clock = clock
  }
}
