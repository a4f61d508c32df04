// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// The attempts to send a request, the current one included.
struct RequestAttempts {
  /// The time of the first one.
  let began: Timestamp
  /// How many there are.
  private(set) var count = 1
  /// Whether an earlier one may have been carried out, although it failed.
  private(set) var mayHaveSucceeded = false

  init(began: Timestamp) { self.began = began }

  /// Adds the attempts that a layer below has made, where this one leaves retries to it.
  mutating func add(_ response: HTTPResponse) {
    mayHaveSucceeded = mayHaveSucceeded || response.attempts.mayHaveSucceeded
  }

  /// Begins another attempt after a refusal.
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
  /// Whether the server may have carried out the request all the same.
  var leavesOutcomeOpen: Bool {
    // A request that came too fast or met another change was not carried out.
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

/// How a refusal may say that the work of a request was done before.
enum RequestCompletion<Response: Sendable>: Sendable {
  /// A refusal is a refusal.
  case none
  /// What is to be deleted does not exist: that is success.
  case gone(Response)
  /// What is to be created exists: if this client has created it, that is success, and `read` returns it.
  ///
  /// - Parameter always: Whether the identifier was made for this request, so that nothing else can have it.
  case exists(always: Bool, read: @Sendable () -> CalendarRequest<Response>)
}

extension RequestCompletion {
  /// The same for a response that is made of this one.
  func map<Other>(_ transform: @escaping @Sendable (Response) -> Other) -> RequestCompletion<Other> {
    switch self {
    case .none: .none
    case .gone(let response): .gone(transform(response))
    case .exists(let always, let read): .exists(always: always) { read().map(transform) }
    }
  }
}

extension CalendarError {
  /// Whether it says that a resource does not exist.
  var isAbsence: Bool {
    switch code {
    case .notFound, .deleted: true
    case .unexplained: status == 404 || status == 410
    default: false
    }
  }

  /// Whether it says that an identifier is taken.
  var isDuplicate: Bool { code == .duplicate || code == .unexplained && status == 409 }

  /// Whether it says that requests come too fast, so that the server has not carried out this one.
  var isRateLimit: Bool {
    code == .rateLimitExceeded || code == .userRateLimitExceeded || code == .unexplained && status == 429
  }
}
