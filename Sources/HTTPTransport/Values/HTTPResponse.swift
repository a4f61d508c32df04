/// An HTTP response with its whole content.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The content, content encodings such as gzip already undone.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Whether the status is in 200 ..< 300.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status says that the server failed for the moment, so that trying later may help.
  package var isPassingFault: Bool { status >= 500 || status == 429 || status == 408 }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size of the content; never fields or content.
  public var description: String { "\(status), \(body.count) bytes" }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "fields": fields, "bodySize": body.count])
  }
}
