// SPDX-License-Identifier: Apache-2.0

// A transport decorator: one method, which wraps another transport's.
//
// It runs as it stands, over a server that is busy at first. For a real one, take `DefaultTransport()`.
import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization

/// Names the program to every server, and counts the responses by status.
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
    // Errors pass through as they are, so that what wraps this one can tell them apart; cancellation is one of them.
    let response = try await base.send(request)
    statuses.withLock { $0[response.status, default: 0] += 1 }
    return response
  }
}

let server = StubTransport(HTTPResponse(status: 503), HTTPResponse(status: 200, body: Array("hello".utf8)))
let clock = ManualClock(skipsWaits: true)

// Below `retrying` a decorator sees every attempt; above it, every call.
let attempts = IdentifyingTransport(server, as: "agenda/1.0")
let http = attempts.retrying(clock: clock)

let response = try await http.call(.get, "https://api.example/greeting")
print(String(decoding: response.body, as: UTF8.self), attempts.count(of: 503), attempts.count(of: 200))
print(server.requests.map { $0.fields["User-Agent"] ?? "" })
