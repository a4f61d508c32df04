// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthJOSE
import Support
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An issuer's published keys. One rule for age, failure and rate:
///
/// - Keys are used for at most an hour after they were requested, regardless of later requests.
/// - They are requested when there are none of that age, and at once when they do not verify a signature.
/// - At most four requests are sent in a minute, regardless of reason and outcome.
///
/// Verifications at the same time share one request.
actor KeyCache {
  private static let lifetime: Duration = .seconds(3600)
  private static let requestLimit = 4
  private static let requestPeriod: Duration = .seconds(60)

  private let url: URL?
  private let transport: any Transport
  private let clock: any WallClock
  private var latest: (keys: JWKSet, requestedAt: Timestamp)?
  private var requestTimes: [Timestamp] = []
  private var request: SharedTask<JWKSet?>?

  init(url: URL?, transport: any Transport, clock: any WallClock) {
    self.url = url
    self.transport = transport
    self.clock = clock
  }

  /// Returns the payload of `jws` after checking its signature with the issuer's keys.
  ///
  /// - Throws: `JOSEError`; `OAuthError`; `TransportError`; `CancellationError`.
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
      throw unreadable(.serverUnavailable, "and were requested several times within a minute. Try again in a minute.")
    }
    return try await payload(of: jws, verifiedWith: keys, allowing: algorithms)
  }

  /// Checks a signature, on a thread of its own if several keys may have to be tried.
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

  /// Returns the keys as they are published now, or `nil` if they were requested too often.
  private func requestedKeys() async throws -> JWKSet? {
    try await SharedTask.join(&request) { try await self.read() }.value()
  }

  private func read() async throws -> JWKSet? {
    guard let url else { throw OAuthError(.unsupported, "The server publishes no keys to check ID tokens with.") }
    requestTimes.removeAll { !isWithin(Self.requestPeriod, since: $0) }
    guard requestTimes.count < Self.requestLimit else { return nil }
    let now = clock.now
    requestTimes.append(now)
    let response = try await transport.send(
      HTTPRequest(.get, url, fields: ["Accept": "application/json"], redirectScope: .sameOrigin))
    // A set of 1 MiB takes a CPU a second or more in a debug build.
    let keys = response.isSuccess ? try? await BlockingWork.run { try JWKSet(json: response.body) } : nil
    guard let keys else {
      throw unreadable(
        response.isTransientFailure ? .serverUnavailable : .invalidResponse,
        "(status \(response.status)). Try again later.")
    }
    latest = (keys, now)
    return keys
  }

  /// Returns whether less than `duration` has passed.
  ///
  /// A clock that was set back tells nothing about the time that passed.
  private func isWithin(_ duration: Duration, since time: Timestamp) -> Bool {
    let now = clock.now
    return now >= time && now - time < duration
  }
}

extension JOSEError {
  /// Whether a key that was published since may fit, under a new name, under the same name, or without one.
  fileprivate var mayBeDueToOldKeys: Bool {
    [.noSuitableKey, .unsuitableKey, .tooManyKeys, .invalidSignature].contains(code)
  }
}
