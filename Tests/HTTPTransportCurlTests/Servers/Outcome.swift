// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

/// What came of a request: `200` or `tls/handshake`.
func outcome(_ exchange: () async throws -> HTTPResponse) async -> String {
  do {
    return "\(try await exchange().status)"
  } catch let error as TransportError {
    return error.outcome
  } catch {
    return "\(error)"
  }
}

extension TransportError {
  var outcome: String { "\(code)" + (reason.map { "/\($0)" } ?? "") }
}

/// Sends a request, and checks that it is over within its time limit and a quarter of a second.
func timedOutcome(_ http: some Transport, _ request: HTTPRequest) async -> String {
  let clock = ContinuousClock()
  let start = clock.now
  let outcome = await outcome { try await http.send(request) }
  let limit = request.timeout ?? .seconds(60)
  let elapsed = clock.now - start
  #expect(elapsed < limit + .milliseconds(250))
  return outcome
}
