// SPDX-License-Identifier: Apache-2.0

package import Timekeeping

extension HTTPResponse {
  /// The wait that `Retry-After` requests, as seconds or as a date
  /// ([RFC 9110 § 10.2.3](https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3)); `nil` without one, negative for a date
  /// in the past.
  ///
  /// - Parameter now: The time, for a response that does not show the server's own.
  package func retryAfter(_ now: Timestamp) -> Duration? {
    guard let value = fields["Retry-After"] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      // More digits than fit mean longer than any caller waits.
      return .seconds(Int64(value) ?? Int64(Int32.max))
    }
    guard let date = HTTPDate.parse(value) else { return nil }
    // The date is the server's, so it is measured against the server's clock where the response shows it.
    return date - (fields["Date"].flatMap(HTTPDate.parse) ?? now)
  }
}
