// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization
public import Timekeeping

/// One application at one authorization server.
///
/// It begins and completes authorizations, and refreshes and revokes tokens. A client stores no tokens: for storage,
/// use ``OAuthAccount`` or ``RefreshingTokenSource``. Copies share the completed authorizations, so a
/// ``PendingAuthorization`` is accepted once. Any number of tasks can use a client.
public struct OAuthClient: Sendable {
  /// The server with its quirks.
  public let provider: Provider
  /// The application as the server knows it.
  public let registration: ClientRegistration
  package let transport: any Transport
  package let clock: any WallClock
  package let completed = CompletedSignIns()
  /// Values kept with the client by other modules.
  package let companions = ClientCompanions()
  /// The nonces and clock offsets of the server's endpoints, for DPoP proofs.
  let proofs = DPoPServers()
  let sending = RepeatedSending()

  /// Creates a client of a provider, with the provider's authorization parameters and quirks.
  ///
  /// - Parameters:
  ///   - provider: The server with its quirks.
  ///   - registration: The application as the server knows it.
  ///   - transport: The transport for all requests.
  ///   - clock: The clock for deadlines and expiry.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if an endpoint is plain http beyond loopback,
  ///   or the client identifier is empty.
  public init(
    provider: Provider, registration: ClientRegistration, transport: some Transport,
    clock: some WallClock = SystemClock()
  ) throws {
    try provider.server.validate()
    guard !registration.clientID.isEmpty else {
      throw OAuthError(.invalidConfiguration, "The client identifier is empty. Use the one that the provider issued.")
    }
    self.provider = provider
    self.registration = registration
    self.transport = transport
    self.clock = clock
  }

  /// Creates a client of a server conforming to the specification, without further parameters.
  ///
  /// For a preset, use ``init(provider:registration:transport:clock:)``.
  ///
  /// - Parameters:
  ///   - server: The server's endpoints.
  ///   - registration: The application as the server knows it.
  ///   - transport: The transport for all requests.
  ///   - clock: The clock for deadlines and expiry.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if an endpoint is plain http beyond loopback,
  ///   or the client identifier is empty.
  public init(
    server: ServerMetadata, registration: ClientRegistration, transport: some Transport,
    clock: some WallClock = SystemClock()
  ) throws {
    try self.init(
      provider: Provider(name: server.issuer, server: server), registration: registration, transport: transport,
      clock: clock)
  }

  /// The server's metadata.
  public var server: ServerMetadata { provider.server }
}

/// Values kept with a client by other modules, such as the keys of its server.
///
/// There is one value of each type, shared by all copies of the client.
package final class ClientCompanions: Sendable {
  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// Returns the value of a type, which the first call creates.
  package func value<Value: Sendable>(orMake make: @Sendable () -> Value) -> Value {
    values.withLock { values in
      if let value = values[ObjectIdentifier(Value.self)] as? Value { return value }
      let value = make()
      values[ObjectIdentifier(Value.self)] = value
      return value
    }
  }
}
