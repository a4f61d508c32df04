// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// What claims of a JWT hold ([RFC 7519 § 4.1](https://www.rfc-editor.org/rfc/rfc7519.html#section-4.1)).
extension JSONValue {
  /// Seconds since 1970 with any fraction, limited to what fits into a duration.
  var date: Timestamp? {
    guard let seconds = number?.double, seconds.isFinite else { return nil }
    return .unixEpoch + .seconds(Swift.min(Swift.max(seconds, -1e11), 1e12))
  }

  /// One recipient, or a list of them.
  var audience: [String]? { string.map { [$0] } ?? strings }
}
