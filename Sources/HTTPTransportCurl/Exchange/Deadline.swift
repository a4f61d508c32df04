// SPDX-License-Identifier: Apache-2.0

/// The instant by which an exchange has to be complete.
struct Deadline: Sendable {
  let instant: ContinuousClock.Instant

  /// A deadline that is `limit` from now; none within the life of a process if the limit is longer than that.
  init(after limit: Duration) {
    instant = .now + min(max(limit, .zero), .seconds(Int64(UInt32.max)))
  }
}
