// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Testing

/// Returns the outcome of a request: `200` or `tls/handshake`.
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
  await timedOutcome(of: request) { try await http.send(request) }
}

/// Performs an exchange, and checks that it is over within the request's time limit and a quarter of a second.
///
/// The time in which threads of the process are ready and wait for a processor does not count: on a busy machine it is any.
func timedOutcome(of request: HTTPRequest, _ exchange: () async throws -> HTTPResponse) async -> String {
  let clock = ContinuousClock()
  let (start, waits) = (clock.now, processorWaits())
  let outcome = await outcome(exchange)
  let limit = request.timeout ?? .seconds(60)
  let elapsed = clock.now - start
  let wait = processorWaits().reduce(Duration.zero) { $0 + max(.zero, $1.value - waits[$1.key, default: .zero]) }
  #expect(elapsed < limit + .milliseconds(250) + wait)
  return outcome
}

/// The time that each thread of the process has waited for a processor; none where the system does not count it.
private func processorWaits() -> [String: Duration] {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return threads.reduce(into: [:]) { waits, thread in
    let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/schedstat", encoding: .utf8)
    let wait = text?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }
    waits[thread] = wait.map { .nanoseconds($0) }
  }
}
