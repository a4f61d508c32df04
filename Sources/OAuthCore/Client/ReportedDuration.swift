// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Seconds as a server writes them: a number or a string, whole or not; anything else counts as not said.
struct ReportedDuration: Decodable {
  let duration: Duration?
  /// The instant that the number of seconds since 1970 means.
  let absolute: Timestamp?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init((try? container.decode(Double.self)) ?? (try? container.decode(String.self)).flatMap(Double.init))
  }

  init(_ text: String) { self.init(Double(text)) }

  private init(_ seconds: Double?) {
    // Ten years stand for every absurd lifetime, so that no sum overflows.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    absolute = seconds.flatMap { Int64(exactly: $0.rounded(.down)) }.map { Timestamp(secondsSince1970: $0) }
  }
}
