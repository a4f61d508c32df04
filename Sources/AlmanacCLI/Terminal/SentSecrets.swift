// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

/// The credentials that a command has sent, which are hidden where a server's text repeats them.
final class SentSecrets: Sendable {
  private let values = Mutex<Set<String>>([])

  /// All of them.
  var all: [String] { values.withLock { Array($0) } }

  /// Returns a transport that notes the credentials of each request.
  func noted(by base: any Transport) -> any Transport { NotingTransport(base: base, secrets: self) }

  private func note(_ request: HTTPRequest) {
    // RFC 9110 § 11.4: the scheme, then the credentials.
    let credentials = request.fields.values(for: "Authorization").map { $0.drop { $0 != " " }.drop { $0 == " " } }
    // RFC 9449 § 4.1: a proof is the whole value.
    let proofs = request.fields.values(for: "DPoP")
    values.withLock { $0.formUnion(credentials.map(String.init) + proofs) }
  }

  private struct NotingTransport: Transport {
    let base: any Transport
    let secrets: SentSecrets

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      secrets.note(request)
      return try await base.send(request)
    }
  }
}
