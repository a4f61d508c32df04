// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping
import TokenStore

/// The servers' nonces and clock offsets for the next proofs, by origin
/// ([RFC 9449 § 8, § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-8)).
final class DPoPServers: Sendable {
  fileprivate struct Server {
    private(set) var nonce: String?
    /// The previous nonces, which a delayed response can contain again.
    private var past: [String] = []
    /// The offset of the server's clock from this machine's, by a rejected proof.
    ///
    /// It is positive if the server's clock is ahead.
    var clockOffset: Duration?

    /// Stores the nonce of a response for the next proofs.
    mutating func take(_ offered: String, isDemanded: Bool) {
      guard offered != nonce, isDemanded || !past.contains(offered) else { return }
      past.removeAll { $0 == offered }
      if let nonce { past.append(nonce) }
      if past.count > 16 { past.removeFirst() }
      nonce = offered
    }
  }

  private let servers = Mutex<[Origin: Server]>([:])

  /// Returns the proof for a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - accessToken: The access token in the request.
  ///   - key: The key to prove.
  ///   - now: The time by this machine's clock.
  ///   - clockOffset: The offset of the server's clock from this machine's, unless a rejected proof has shown another.
  func proof(
    for request: HTTPRequest, accessToken: Secret?, by key: DPoPKey, now: Timestamp, clockOffset: Duration = .zero
  ) throws -> String {
    let server = request.origin.flatMap { origin in servers.withLock { $0[origin] } }
    let proof = DPoPProof(
      for: request, accessToken: accessToken, nonce: server?.nonce, issuedAt: now + (server?.clockOffset ?? clockOffset)
    )
    return try proof.signed(with: key)
  }

  /// Stores the nonce and the clock offset of a response, and returns whether to repeat the request with a new proof.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent.
  ///   - response: The response to it.
  ///   - error: The server's error code, if it rejected the request.
  ///   - now: The time by this machine's clock.
  func shouldRepeat(
    _ request: HTTPRequest, after response: HTTPResponse, refusedWith error: String?, now: Timestamp
  ) -> Bool {
    guard let origin = request.origin else { return false }
    let offered = response.offeredNonce
    guard error == "use_dpop_nonce" || error == "invalid_dpop_proof" else {
      if let offered { servers.withLock { $0[origin, default: Server()].take(offered, isDemanded: false) } }
      return false
    }
    guard let sent = request.fields["DPoP"].flatMap(DPoPProof.Sent.init) else { return false }
    return servers.withLock { servers in
      var server = servers[origin] ?? Server()
      defer { servers[origin] = server }
      if let offered { server.take(offered, isDemanded: error == "use_dpop_nonce") }
      let isCorrected = server.correctClock(sent, response, now: now)
      // If the server offers no nonce, or the one that was sent, it would reject the next request too.
      return error == "use_dpop_nonce" ? offered != nil && offered != sent.nonce : isCorrected
    }
  }
}

extension DPoPServers.Server {
  /// The tolerated difference between the times of a rejected proof and of its response.
  private static let tolerance = Duration.seconds(5)

  /// Sets the clock offset if the server's time differs from the proof's.
  fileprivate mutating func correctClock(_ sent: DPoPProof.Sent, _ response: HTTPResponse, now: Timestamp) -> Bool {
    guard let time = response.fields["Date"].flatMap(HTTPDate.parse), let issuedAt = sent.issuedAt,
      issuedAt - time > Self.tolerance || time - issuedAt > Self.tolerance
    else { return false }
    clockOffset = time - now
    return true
  }
}

extension HTTPResponse {
  /// The nonce for the next proofs, or `nil` if there is none or it contains other characters than the allowed ones
  /// ([RFC 9449 § 8.1](https://www.rfc-editor.org/rfc/rfc9449.html#section-8.1)).
  fileprivate var offeredNonce: String? {
    let values = fields.values(for: "DPoP-Nonce")
    guard values.count == 1, let value = values.first, !value.isEmpty, value.utf8.count <= 4096,
      value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return value
  }
}
