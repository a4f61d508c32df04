// SPDX-License-Identifier: Apache-2.0

/// Seconds as a server writes them: a number or a string, whole or not; anything else counts as not said.
struct ReportedDuration: Decodable {
  let duration: Duration?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init((try? container.decode(Double.self)) ?? (try? container.decode(String.self)).flatMap(Double.init))
  }

  init(_ text: String) { self.init(Double(text)) }

  private init(_ seconds: Double?) {
    // Ten years stand for every absurd lifetime, so that no sum overflows.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
  }
}
