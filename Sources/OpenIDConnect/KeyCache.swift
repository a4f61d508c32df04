import HTTPTransport
import OAuthCore
import OAuthJOSE
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An issuer's published keys: fetched when first needed, again after an hour, and, at most once a minute, when they do not
/// fit. Verifications at the same time share one fetch.
actor KeyCache {
  private let address: URL?
  private let transport: any Transport
  private let clock: any WallClock
  private var keys: JWKSet?
  private var attemptedAt: Timestamp?
  private var fetch: SharedTask<JWKSet>?

  init(address: URL?, transport: any Transport, clock: any WallClock) {
    self.address = address
    self.transport = transport
    self.clock = clock
  }

  /// Returns the keys, among them one that may have made a signature with this header if the issuer publishes one.
  ///
  /// - Throws: `OAuthError`; `TransportError`; `CancellationError`.
  func keys(for header: JWS.Header) async throws -> JWKSet {
    guard let keys, !isOlder(than: .seconds(3600)) else { return try await fetched() }
    return keys.candidates(for: header).isEmpty ? try await newer() ?? keys : keys
  }

  /// Returns the keys as they are published now, or `nil` if that was asked less than a minute ago.
  ///
  /// - Throws: `OAuthError`; `TransportError`; `CancellationError`.
  func newer() async throws -> JWKSet? {
    isOlder(than: .seconds(60)) ? try await fetched() : nil
  }

  private func isOlder(than age: Duration) -> Bool {
    guard let attemptedAt else { return true }
    // A clock that was set back tells nothing about the age.
    return clock.now - attemptedAt >= age || clock.now < attemptedAt
  }

  private func fetched() async throws -> JWKSet {
    try await SharedTask.seat(at: &fetch) { try await self.read() }.value()
  }

  private func read() async throws -> JWKSet {
    guard let address else { throw OAuthError(.unsupported, "The server publishes no keys to check ID tokens with.") }
    attemptedAt = clock.now
    let response = try await transport.send(HTTPRequest(.get, address, fields: ["Accept": "application/json"]))
    guard response.isSuccess, let fetched = try? JSONDecoder().decode(JWKSet.self, from: Data(response.body)) else {
      throw OAuthError(
        response.isPassingFault ? .serverUnavailable : .invalidResponse,
        "The server's keys could not be read. Try again later.")
    }
    keys = fetched
    return fetched
  }
}
