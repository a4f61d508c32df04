// SPDX-License-Identifier: Apache-2.0

/// An HTTP response with its complete body.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The body, with content encodings such as gzip decoded.
  public var body: [UInt8]

  /// The origin of the response if redirects led to an origin other than the request's, or `nil`.
  ///
  /// The request's credentials are not sent after such a redirect.
  public var redirectedOrigin: Origin?

  /// Creates a response.
  public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = [], redirectedOrigin: Origin? = nil) {
    self.status = status
    self.fields = fields
    self.body = body
    self.redirectedOrigin = redirectedOrigin
  }

  /// Whether the status is in 200 ..< 300.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status indicates a temporary failure, after which a later attempt can succeed.
  package var isTransientFailure: Bool { status >= 500 || status == 429 || status == 408 }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size of the body, never fields or body.
  public var description: String { "\(status), \(body.count) bytes" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "fields": fields, "bodySize": body.count])
  }
}
