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
    return remedy == .backOff || code == .malformedAnswer || !(400..<500).contains(status)
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
