// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The attempts to send a request, the current one included.
struct RequestAttempts {
  /// How many there are.
  private(set) var count = 1
  /// Whether an earlier one may have been carried out, although it failed.
  private(set) var mayHaveSucceeded = false

  /// Begins another attempt after a refusal.
  mutating func retry(after error: CalendarError) {
    count += 1
    // What came too fast or met another change was not carried out.
    mayHaveSucceeded = mayHaveSucceeded || !(error.isRateLimit || error.code == .conflict)
  }

  /// Begins another attempt after a failure of the transport.
  mutating func retry(after error: TransportError) {
    count += 1
    mayHaveSucceeded = mayHaveSucceeded || error.code != .unreachable
  }
}
