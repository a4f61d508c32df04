// SPDX-License-Identifier: Apache-2.0

/// The head of an HTTP response, and its body as it arrives.
public struct StreamedResponse: Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The body, content encodings such as gzip already undone.
  ///
  /// It can be iterated once.
  public var body: BodyStream

  /// The origin that sent the response, if redirects led to another origin than that of the request, where its credentials are
  /// not sent; `nil` if they did not.
  public var redirectedOrigin: Origin?

  /// Creates a response.
  public init(
    status: Int, fields: HTTPFields = [:], body: BodyStream = BodyStream([]), redirectedOrigin: Origin? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.redirectedOrigin = redirectedOrigin
  }

  /// Whether the status is in 200 ..< 300.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
  /// The status alone; never fields or body.
  public var description: String { "\(status), streamed" }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["status": status, "fields": fields]) }
}
