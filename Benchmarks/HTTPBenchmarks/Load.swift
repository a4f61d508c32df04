// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import HTTPTransportURLSession

/// The load of a client: a task for each concurrent request, which sends the next request after each response.
struct Load: Sendable {
  static let usage =
    """
    usage: HTTPBenchmarks CLIENT URL CONCURRENCY SECONDS
    clients: CurlTransport, URLSessionTransport
    """

  /// The time before the measurement, in which connections are opened and code is loaded.
  private static let warmUp = Duration.milliseconds(300)

  private let client: String
  private let transport: any Transport
  private let request: HTTPRequest
  private let concurrency: Int
  private let duration: Duration

  /// Parses the arguments.
  ///
  /// Returns `nil` if they are invalid.
  init?(_ arguments: some Collection<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 4, let url = URL(string: arguments[1]), let concurrency = Int(arguments[2]),
      concurrency > 0, let seconds = Double(arguments[3])
    else { return nil }
    let limits = TransportLimits(connectionsPerHost: concurrency, connections: concurrency)
    client = arguments[0]
    switch client {
    case "CurlTransport": transport = CurlTransport(limits: limits)
    case "URLSessionTransport": transport = URLSessionTransport(limits: limits)
    default: return nil
    }
    request = HTTPRequest(.get, url)
    self.concurrency = concurrency
    duration = .seconds(seconds)
  }

  /// Sends requests until the time limit.
  ///
  /// - Returns: The figures as a line of JSON, as the other clients print them.
  func run() async throws -> String {
    let counters = (0..<concurrency).map { _ in Counter() }
    let tasks = counters.map { counter in Task { await send(counting: counter) } }
    defer { for task in tasks { task.cancel() } }
    try await ContinuousClock().sleep(for: Self.warmUp)
    let start = Sample(counters)
    try await ContinuousClock().sleep(for: duration)
    let end = Sample(counters)
    return """
      {"client":"\(client)","concurrency":\(concurrency),"requests":\(end.requests - start.requests),\
      "failures":\(end.failures - start.failures),"seconds":\((end.instant - start.instant) / .seconds(1)),\
      "cpu":\(end.cpu - start.cpu)}
      """
  }

  private func send(counting counter: Counter) async {
    while !Task.isCancelled {
      let response = try? await transport.send(request)
      counter.add(isSuccess: response?.status == 200 && response?.body.count == 1024)
    }
  }
}
