// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

/// What happened to the account: its events first, then the requests; identical lines are one.
package struct History: Sendable {
  /// The events of the authorization, the newest first.
  package let events: [String]
  /// The requests, those that failed first, then the newest first.
  package let requests: [String]

  /// - Parameters:
  ///   - events: The oldest first.
  ///   - exchanges: The oldest first.
  package init(events: [String], exchanges: [ExchangeRecord]) {
    self.events = Self.grouped(events.suffix(12).reversed())
    let newest = exchanges.suffix(60).reversed()
    let succeeded = { (exchange: ExchangeRecord) in (200..<400).contains(exchange.status ?? 0) }
    requests = Self.grouped(newest.filter { !succeeded($0) }.map(\.line) + newest.filter(succeeded).map(\.line))
  }

  /// Every line once, where it is first, with the number of times it occurs.
  private static func grouped(_ lines: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for line in lines { counts[line, default: 0] += 1 }
    return lines.compactMap { line in
      counts.removeValue(forKey: line).map { $0 == 1 ? line : "\(line) (\($0) times)" }
    }
  }

  var isEmpty: Bool { events.isEmpty && requests.isEmpty }

  var html: HTML {
    """
    <ol class="log lead">\(HTML(events.map { "<li>\($0)</li>" as HTML }))</ol>
    <h3>Requests</h3>
    <ol class="log">\(HTML(requests.map { "<li>\($0)</li>" as HTML }))</ol>
    """
  }
}

extension ExchangeRecord {
  /// The exchange in a few words: the status, and the path without the identifiers that make it long.
  fileprivate var line: String {
    let path = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
    let short = path.map { $0.count > 24 || $0.contains("%40") || $0.contains("@") ? "…" : String($0) }
    let query = short.last?.hasSuffix("?…") == true ? short.dropLast() + [String(short.last?.dropLast(2) ?? "")] : short
    return "\(status.map(String.init) ?? fault ?? "") \(method) /\(query.joined(separator: "/"))"
  }
}
