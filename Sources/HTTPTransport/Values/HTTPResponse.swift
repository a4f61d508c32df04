// SPDX-License-Identifier: Apache-2.0

/// An HTTP response with its whole content.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The content, content encodings such as gzip already undone.
  public var body: [UInt8]

  /// The origin that sent the response, if redirects led to another origin than that of the request, where its credentials are
  /// not sent; `nil` if they did not.
  public var redirectedOrigin: Origin?
  /// The state of the call's attempts; not part of the response's identity.
  package var attempts = CallAttempts()

  /// Creates a response.
  public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = [], redirectedOrigin: Origin? = nil) {
    self.status = status
    self.fields = fields
    self.body = body
    self.redirectedOrigin = redirectedOrigin
  }

  /// Whether the status is in 200 ..< 300.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the status says that the server failed for the moment, so that trying later may help.
  package var isTransientFailure: Bool { status >= 500 || status == 429 || status == 408 }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the size of the content; never fields or content.
  public var description: String { "\(status), \(body.count) bytes" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": status, "fields": fields, "bodySize": body.count])
  }
}
