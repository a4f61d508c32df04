package import HTTPTransport

/// What happened to the account: its events first, then the requests, identical ones in one line.
package struct History: Sendable {
  /// The events of the authorization, the newest first.
  private let events: [String]
  /// The requests, those that failed first, then the newest first.
  package let requests: [String]

  /// - Parameters:
  ///   - events: The oldest first.
  ///   - exchanges: The oldest first.
  package init(events: [String], exchanges: [ExchangeRecord]) {
    self.events = events.suffix(6).reversed()
    var counts: [String: Int] = [:]
    var failed: [String] = []
    var succeeded: [String] = []
    for exchange in exchanges.suffix(60).reversed() {
      let line = exchange.line
      let count = counts[line, default: 0] + 1
      counts[line] = count
      guard count == 1 else { continue }
      if (200..<400).contains(exchange.status ?? 0) { succeeded.append(line) } else { failed.append(line) }
    }
    requests = (failed + succeeded).map { line in
      let count = counts[line] ?? 1
      return count == 1 ? line : "\(line), \(count) times"
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
    let path = address.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
    let short = path.map { $0.count > 24 || $0.contains("%40") || $0.contains("@") ? "…" : String($0) }
    let query = short.last?.hasSuffix("?…") == true ? short.dropLast() + [String(short.last?.dropLast(2) ?? "")] : short
    return "\(status.map(String.init) ?? fault ?? "") \(method) /\(query.joined(separator: "/"))"
  }
}
