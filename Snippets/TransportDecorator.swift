// SPDX-License-Identifier: Apache-2.0

// Decorate a transport: one method wraps that of another transport.
//
// It runs unchanged, with a server that is busy at first. For a real server, use `DefaultTransport()`.
import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization

/// A transport that sends the program's name to every server, and counts the responses by status.
final class IdentifyingTransport: Transport {
  private let base: any Transport
  private let product: String
  private let statuses = Mutex<[Int: Int]>([:])

  init(_ base: some Transport, as product: String) {
    self.base = base
    self.product = product
  }

  func count(of status: Int) -> Int { statuses.withLock { $0[status] ?? 0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.fields["User-Agent"] = product
    // Errors pass through unchanged, including cancellation, so outer transports can distinguish them.
    let response = try await base.send(request)
    statuses.withLock { $0[response.status, default: 0] += 1 }
    return response
  }
}

let server = StubTransport(HTTPResponse(status: 503), HTTPResponse(status: 200, body: Array("hello".utf8)))
let clock = ManualClock(skipsWaits: true)

// Inside `retrying`, a decorator sees every attempt; outside, every call.
let attempts = IdentifyingTransport(server, as: "agenda/1.0")
let http = attempts.retrying(clock: clock)

let response = try await http.call(.get, "https://api.example/greeting")
print(String(decoding: response.body, as: UTF8.self), attempts.count(of: 503), attempts.count(of: 200))
print(server.requests.map { $0.fields["User-Agent"] ?? "" })
