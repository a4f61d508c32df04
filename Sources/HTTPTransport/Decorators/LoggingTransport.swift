// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The log record of one exchange, without secrets.
public struct ExchangeRecord: Sendable, Hashable, CustomStringConvertible {
  /// The request's method.
  public let method: HTTPMethod
  /// The request's URL without user, query and fragment.
  public let url: String
  /// The response's status, or `nil` if no response arrived.
  public let status: Int?
  /// The code of the transport's error, `cancelled`, or `failed` for any other error, or `nil` if a response arrived.
  public let fault: String?
  /// The size of the request body in bytes.
  public let requestSize: Int
  /// The size of the response body in bytes.
  public let responseSize: Int
  /// The duration of the exchange.
  public let duration: Duration

  /// The record as one line: method, URL without its query, outcome, response size and duration.
  public var description: String {
    // The milliseconds of a longer duration exceed 64 bits.
    let limit = Duration.milliseconds(Int64.max)
    let (seconds, attoseconds) = min(max(duration, .zero - limit), limit).components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return
      "\(method) \(url) → \(status.map(String.init) ?? fault ?? "?") (\(responseSize) bytes, \(milliseconds) ms)"
  }
}

/// A transport that reports every exchange.
///
/// Made by ``Transport/logging(clock:to:)``.
struct LoggingTransport: Transport {
  let base: any Transport
  let clock: any WallClock
  let report: @Sendable (ExchangeRecord) -> Void

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = clock.uptime
    func report(status: Int? = nil, fault: String? = nil, responseSize: Int = 0) {
      self.report(
        ExchangeRecord(
          method: request.method, url: request.url.redactedDescription, status: status, fault: fault,
          requestSize: request.body?.count ?? 0, responseSize: responseSize, duration: clock.uptime - start))
    }
    do {
      let response = try await base.send(request)
      report(status: response.status, responseSize: response.body.count)
      return response
    } catch {
      switch error {
      case let error as TransportError: report(fault: error.code.description)
      case is CancellationError: report(fault: "cancelled")
      default: report(fault: "failed")
      }
      throw error
    }
  }
}

extension Transport {
  /// Returns a transport that reports every exchange: method, URL without query, status, sizes and duration.
  ///
  /// A record never contains header fields, bodies or queries, so it can go to any log.
  ///
  /// - Parameters:
  ///   - clock: The clock for measuring durations.
  ///   - report: A closure called once per exchange, after its end, possibly by several tasks at the same time.
  public func logging(
    clock: some WallClock = SystemClock(), to report: @escaping @Sendable (ExchangeRecord) -> Void
  ) -> some Transport {
    LoggingTransport(base: self, clock: clock, report: report)
  }
}
