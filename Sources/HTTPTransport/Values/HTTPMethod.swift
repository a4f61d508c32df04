// SPDX-License-Identifier: Apache-2.0

/// A request method ([RFC 9110 § 9](https://www.rfc-editor.org/rfc/rfc9110.html#section-9)).
///
/// Methods are case-sensitive.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The method as sent.
  public let rawValue: String

  /// Creates a method from its name as sent, such as `"PROPFIND"`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a method from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The name, as sent.
  public var description: String { rawValue }

  /// Reads a resource.
  public static let get: HTTPMethod = "GET"
  /// Reads a resource's fields without its content.
  public static let head: HTTPMethod = "HEAD"
  /// Submits content for processing.
  public static let post: HTTPMethod = "POST"
  /// Replaces a resource.
  public static let put: HTTPMethod = "PUT"
  /// Changes a part of a resource ([RFC 5789](https://www.rfc-editor.org/rfc/rfc5789.html)).
  public static let patch: HTTPMethod = "PATCH"
  /// Removes a resource.
  public static let delete: HTTPMethod = "DELETE"
  /// Requests the communication options of a resource.
  public static let options: HTTPMethod = "OPTIONS"

  /// Whether sending a request twice has the same effect as sending it once
  /// ([RFC 9110 § 9.2.2](https://www.rfc-editor.org/rfc/rfc9110.html#section-9.2.2)).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, "TRACE": true
    default: false
    }
  }
}
