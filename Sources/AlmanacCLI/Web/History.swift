// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

/// The events of the account and its requests, complete and in order, with identical neighbours combined.
package struct History: Sendable {
  /// The account's events, newest first.
  package let events: [String]
  /// The requests, newest first.
  package let requests: [String]
  private let hasFailures: Bool

  /// - Parameters:
  ///   - events: The events, oldest first.
  ///   - exchanges: The requests, oldest first.
  package init(events: [String], exchanges: [ExchangeRecord]) {
    self.events = Self.combined(events.reversed())
    requests = Self.combined(exchanges.reversed().map(\.line))
    hasFailures = exchanges.suffix(60).contains { !(200..<400).contains($0.status ?? 0) }
  }

  /// Returns the lines with identical neighbours combined, and their number.
  private static func combined(_ lines: [String]) -> [String] {
    var groups: [(line: String, count: Int)] = []
    for line in lines {
      if groups.last?.line == line { groups[groups.count - 1].count += 1 } else { groups.append((line, 1)) }
    }
    return groups.map { $0.count == 1 ? $0.line : "\($0.line) (\($0.count) times)" }
  }

  var isEmpty: Bool { events.isEmpty && requests.isEmpty }

  /// The lists of events and requests.
  ///
  /// The requests are visible initially only if one of them failed.
  var html: HTML {
    """
    <ol class="log lead box" tabindex="0" aria-label="Events, newest first">\(HTML(events.map { "<li>\($0)</li>" as HTML }))</ol>
    <details\(HTML(stringLiteral: hasFailures ? " open" : ""))><summary>Requests</summary>
    <ol class="log box" tabindex="0" aria-label="Requests, newest first">\(HTML(requests.map { "<li>\($0)</li>" as HTML }))</ol></details>
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
