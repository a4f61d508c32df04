// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

/// The events of the account and its requests, with identical lines combined.
package struct History: Sendable {
  /// The account's events, newest first.
  package let events: [String]
  /// The requests: failed ones first, each group newest first.
  package let requests: [String]
  private let hasFailures: Bool

  /// - Parameters:
  ///   - events: The events, oldest first.
  ///   - exchanges: The requests, oldest first.
  package init(events: [String], exchanges: [ExchangeRecord]) {
    self.events = Self.grouped(events.suffix(12).reversed())
    let newest = exchanges.suffix(60).reversed()
    let succeeded = { (exchange: ExchangeRecord) in (200..<400).contains(exchange.status ?? 0) }
    hasFailures = !newest.allSatisfy(succeeded)
    requests = Self.grouped(newest.filter { !succeeded($0) }.map(\.line) + newest.filter(succeeded).map(\.line))
  }

  /// Returns each line once, at its first position, with its number of occurrences.
  private static func grouped(_ lines: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for line in lines { counts[line, default: 0] += 1 }
    return lines.compactMap { line in
      counts.removeValue(forKey: line).map { $0 == 1 ? line : "\(line) (\($0) times)" }
    }
  }

  var isEmpty: Bool { events.isEmpty && requests.isEmpty }

  /// The list of events, and the requests, which are shown at once only if one of them failed.
  var html: HTML {
    """
    <ol class="log lead">\(HTML(events.map { "<li>\($0)</li>" as HTML }))</ol>
    <details\(HTML(stringLiteral: hasFailures ? " open" : ""))><summary>Requests</summary>
    <ol class="log">\(HTML(requests.map { "<li>\($0)</li>" as HTML }))</ol></details>
    """
  }
}

extension ExchangeRecord {
  /// The exchange in one line: the status, the method, and the path without long identifiers.
  fileprivate var line: String {
    let path = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
    let short = path.map { $0.count > 24 || $0.contains("%40") || $0.contains("@") ? "…" : String($0) }
    let query = short.last?.hasSuffix("?…") == true ? short.dropLast() + [String(short.last?.dropLast(2) ?? "")] : short
    return "\(status.map(String.init) ?? fault ?? "") \(method) /\(query.joined(separator: "/"))"
  }
}
