// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping
import TokenStore

/// What the servers have said that the next proofs need: for each origin its nonce, and its time where that differs
/// ([RFC 9449 § 8, § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-8)).
final class DPoPServers: Sendable {
  fileprivate struct Server {
    private(set) var nonce: String?
    /// The nonces before it, which a response that was under way may bring once more.
    private var past: [String] = []
    /// How far the server's clock is ahead, as learnt from a refusal.
    var clockOffset: Duration?

    /// Takes the nonce of a response for the next proofs.
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
  ///   - accessToken: The access token in it.
  ///   - key: The key to prove.
  ///   - now: The time by this machine's clock.
  ///   - clockOffset: How far the server's clock is ahead, unless the server has said it in a refusal.
  func proof(
    for request: HTTPRequest, accessToken: Secret?, by key: DPoPKey, now: Timestamp, clockOffset: Duration = .zero
  ) throws -> String {
    let server = request.origin.flatMap { origin in servers.withLock { $0[origin] } }
    let proof = DPoPProof(
      for: request, accessToken: accessToken, nonce: server?.nonce, issuedAt: now + (server?.clockOffset ?? clockOffset)
    )
    return try proof.signed(with: key)
  }

  /// Keeps what a response says, and returns whether the request is to be sent again with another proof.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent.
  ///   - response: The response to it.
  ///   - error: The server's error code, if it refused the request.
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
      // A server that demands what it was given, or nothing in particular, would refuse the next request too.
      return error == "use_dpop_nonce" ? offered != nil && offered != sent.nonce : isCorrected
    }
  }
}

extension DPoPServers.Server {
  /// How far the times of a refused proof and of the refusal may differ before the clock is to blame.
  private static let tolerance = Duration.seconds(5)

  /// Takes the server's time if that of the proof was another.
  fileprivate mutating func correctClock(_ sent: DPoPProof.Sent, _ response: HTTPResponse, now: Timestamp) -> Bool {
    guard let time = response.fields["Date"].flatMap(HTTPDate.parse), let issuedAt = sent.issuedAt,
      issuedAt - time > Self.tolerance || time - issuedAt > Self.tolerance
    else { return false }
    clockOffset = time - now
    return true
  }
}

extension HTTPResponse {
  /// The nonce for the next proofs, if there is one of the allowed characters
  /// ([RFC 9449 § 8.1](https://www.rfc-editor.org/rfc/rfc9449.html#section-8.1)).
  fileprivate var offeredNonce: String? {
    let values = fields.values(for: "DPoP-Nonce")
    guard values.count == 1, let value = values.first, !value.isEmpty, value.utf8.count <= 4096,
      value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return value
  }
}
