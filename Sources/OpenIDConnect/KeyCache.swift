import HTTPTransport
import OAuthCore
import OAuthJOSE
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An issuer's published keys, fetched when first needed and again, at most once a minute, when a key is unknown.
actor KeyCache {
  private let address: URL?
  private let transport: any Transport
  private let clock: any WallClock
  private var keys: JWKSet?
  private var fetchedAt: Timestamp?

  init(address: URL?, transport: any Transport, clock: any WallClock) {
    self.address = address
    self.transport = transport
    self.clock = clock
  }

  /// Returns the keys that may have made a signature with this header.
  ///
  /// - Throws: `OAuthError`; `TransportError`; `CancellationError`.
  func keys(for header: JWS.Header) async throws -> JWKSet {
    if let keys {
      let isFresh = fetchedAt.map { clock.now - $0 < .seconds(60) && clock.now >= $0 } ?? false
      if isFresh || !keys.candidates(for: header).isEmpty { return keys }
    }
    guard let address else { throw OAuthError(.unsupported, "The server publishes no keys to check ID tokens with.") }
    let response = try await transport.send(HTTPRequest(.get, address, fields: ["Accept": "application/json"]))
    guard response.isSuccess, let fetched = try? JSONDecoder().decode(JWKSet.self, from: Data(response.body)) else {
      throw OAuthError(
        response.status >= 500 ? .serverUnavailable : .invalidResponse,
        "The server's keys could not be read. Try again later.")
    }
    keys = fetched
    fetchedAt = clock.now
    return fetched
  }
}
