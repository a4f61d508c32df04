// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthJOSE
import PlatformFoundation
import Support
import Timekeeping

/// A cache of an issuer's published keys.
///
/// - Keys are used for at most one hour after they were requested.
/// - Keys are requested if there are none of the required age, and immediately if they do not verify a signature.
/// - At most four requests are sent per minute, including failed ones.
///
/// Concurrent verifications share one request.
actor KeyCache {
  private static let lifetime: Duration = .seconds(3600)
  private static let requestLimit = 4
  private static let requestPeriod: Duration = .seconds(60)

  private let url: URL?
  private let transport: any Transport
  private let clock: any WallClock
  private var latest: (keys: JWKSet, requestedAt: Duration)?
  private var requestTimes: [Duration] = []
  private var request: SharedTask<JWKSet?>?

  init(url: URL?, transport: any Transport, clock: any WallClock) {
    self.url = url
    self.transport = transport
    self.clock = clock
  }

  /// Returns the payload of `jws` after verifying its signature with the issuer's keys.
  ///
  /// - Throws: `JOSEError`, `OAuthError`, `TransportError`, or `CancellationError`.
  nonisolated func verifiedPayload(of jws: JWS, allowing algorithms: Set<JWS.Algorithm>) async throws -> [UInt8] {
    if let keys = await usableKeys {
      do {
        return try await payload(of: jws, verifiedWith: keys, allowing: algorithms)
      } catch let error as JOSEError where error.mayBeDueToOldKeys {
        guard let newer = try await requestedKeys() else { throw error }
        return try await payload(of: jws, verifiedWith: newer, allowing: algorithms)
      }
    }
    guard let keys = try await requestedKeys() else {
      throw unreadable(.serverUnavailable, "after several requests within a minute. Try again in a minute.")
    }
    return try await payload(of: jws, verifiedWith: keys, allowing: algorithms)
  }

  /// Verifies a signature, on a separate thread if there are several candidate keys.
  private nonisolated func payload(
    of jws: JWS, verifiedWith keys: JWKSet, allowing algorithms: Set<JWS.Algorithm>
  ) async throws -> [UInt8] {
    guard keys.hasSeveralCandidates(for: jws.header) else {
      return try jws.payload(verifiedWith: keys, allowing: algorithms)
    }
    return try await BlockingWork.run { try jws.payload(verifiedWith: keys, allowing: algorithms) }
  }

  private nonisolated func unreadable(_ code: OAuthError.Code, _ reason: String) -> OAuthError {
    OAuthError(
      code, "The keys at \(OAuthError.printable(url?.absoluteString ?? "", limit: 200)) could not be read \(reason)")
  }

  private var usableKeys: JWKSet? {
    latest.flatMap { isWithin(Self.lifetime, since: $0.requestedAt) ? $0.keys : nil }
  }

  /// Requests the current keys, or returns `nil` if the request limit is reached.
  private func requestedKeys() async throws -> JWKSet? {
    try await SharedTask.join(&request) { try await self.read() }.value()
  }

  private func read() async throws -> JWKSet? {
    guard let url else { throw OAuthError(.unsupported, "The server publishes no keys for verifying ID tokens.") }
    requestTimes.removeAll { !isWithin(Self.requestPeriod, since: $0) }
    guard requestTimes.count < Self.requestLimit else { return nil }
    let now = clock.uptime
    requestTimes.append(now)
    let response = try await transport.send(
      HTTPRequest(.get, url, fields: ["Accept": "application/json"], redirectScope: .sameOrigin))
    guard response.isSuccess else {
      throw unreadable(
        response.isTransientFailure ? .serverUnavailable : .invalidResponse,
        "(status \(response.status)). Try again later.")
    }
    do {
      // Parsing a key set of 1 MiB takes a second or more of processor time in a debug build.
      let keys = try await BlockingWork.run { try JWKSet(json: response.body) }
      latest = (keys, now)
      return keys
    } catch let error as JOSEError {
      throw unreadable(.invalidResponse, "(\(error.message)) Report the error to the server's operator.")
    }
  }

  /// Returns whether less than `duration` has passed since a time.
  private func isWithin(_ duration: Duration, since time: Duration) -> Bool { clock.uptime - time < duration }
}

extension JOSEError {
  /// Whether a newly published key could verify the signature, under a new or the same identifier, or without one.
  fileprivate var mayBeDueToOldKeys: Bool {
    [.noSuitableKey, .unsuitableKey, .tooManyKeys, .invalidSignature].contains(code)
  }
}
