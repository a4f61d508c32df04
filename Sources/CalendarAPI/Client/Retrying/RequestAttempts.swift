// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// The attempts to send a request, including the current one.
struct RequestAttempts {
  /// The time of the first attempt.
  let began: Timestamp
  /// The number of attempts.
  private(set) var count = 1
  /// Whether the server may have carried out an earlier attempt although it failed.
  private(set) var mayHaveSucceeded = false

  init(began: Timestamp) { self.began = began }

  /// Adds the attempts of the transport, if retries are left to it.
  mutating func add(_ call: Call) {
    mayHaveSucceeded = mayHaveSucceeded || call.mayHaveSucceeded
  }

  /// Begins another attempt after an error response.
  mutating func retry(after error: CalendarError) {
    count += 1
    mayHaveSucceeded = mayHaveSucceeded || error.leavesOutcomeOpen
  }

  /// Begins another attempt after a failure of the transport.
  mutating func retry(after error: TransportError) {
    count += 1
    mayHaveSucceeded = mayHaveSucceeded || error.leavesOutcomeOpen
  }
}

extension CalendarError {
  /// Whether the server may have carried out the request despite the error.
  var leavesOutcomeOpen: Bool {
    // A request beyond the rate limit or in conflict with another change was not carried out.
    guard let status, !isRateLimit, code != .conflict else { return false }
    return remedy == .backOff || code == .malformedResponse || !(400..<500).contains(status)
  }
}

extension TransportError {
  /// Whether the request may have reached the server.
  var leavesOutcomeOpen: Bool {
    switch code {
    case .unreachable, .invalidRequest, .tls: false
    case .timedOut: reason != .connecting && !isOfPreparation
    default: !isOfPreparation
    }
  }
}

/// The error responses that show that an earlier attempt completed the request.
enum RequestCompletion<Response: Sendable>: Sendable {
  /// No error response shows completion.
  case none
  /// For a deletion: the resource does not exist. The deletion then succeeds.
  case gone(Response)
  /// For an insertion: the resource exists. If an earlier attempt may have created it, the insertion succeeds, and `read` returns
  /// the resource.
  ///
  /// - Parameter always: Whether the identifier was created for this request. No other resource can then have it.
  case exists(always: Bool, read: @Sendable () -> CalendarRequest<Response>)
}

extension RequestCompletion {
  /// Returns the completion with a transformed response.
  func map<Other>(_ transform: @escaping @Sendable (Response) -> Other) -> RequestCompletion<Other> {
    switch self {
    case .none: .none
    case .gone(let response): .gone(transform(response))
    case .exists(let always, let read): .exists(always: always) { read().map(transform) }
    }
  }
}

extension CalendarError {
  /// Whether the error reports a missing resource.
  var isAbsence: Bool {
    switch code {
    case .notFound, .deleted: true
    case .unexplained: status == 404 || status == 410
    default: false
    }
  }

  /// Whether the error reports an identifier in use.
  var isDuplicate: Bool { code == .duplicate || code == .unexplained && status == 409 }

  /// Whether the error is a rate limit.
  ///
  /// The server has then not carried out the request.
  var isRateLimit: Bool {
    code == .rateLimitExceeded || code == .userRateLimitExceeded || code == .unexplained && status == 429
  }
}
