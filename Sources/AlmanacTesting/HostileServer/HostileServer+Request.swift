// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension HostileServer {
  /// A request as it arrived.
  public struct Request: Sendable, CustomStringConvertible {
    /// The method.
    public let method: String
    /// The request target: a path, with a query if there is one.
    public let target: String
    /// The header fields in their order.
    public let fields: HTTPFields
    /// The body; empty until ``isComplete``.
    public internal(set) var body: [UInt8] = []
    /// Whether the body has come to its end.
    public internal(set) var isComplete = false
    /// Which connection it came on, from 1.
    public let connection: Int
    /// Which request on its connection it is, from 1.
    public let number: Int

    /// The method and the target.
    public var description: String { "\(method) \(target)" }
  }
}

extension HostileServer.Request {
  /// Parses the lines of a head; malformed ones are left out.
  init(head: String, connection: Int, number: Int) {
    let lines = head.split(separator: "\r\n")
    let parts = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { fields.append(String(pair[0]), String(pair[1].drop { $0 == " " })) }
    }
    method = parts.first.map(String.init) ?? ""
    target = parts.count > 1 ? String(parts[1]) : ""
    self.fields = fields
    self.connection = connection
    self.number = number
  }
}
