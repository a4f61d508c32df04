// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An HTTP request with its complete body.
public struct HTTPRequest: Sendable, Hashable {
  /// The request method.
  public var method: HTTPMethod
  /// The absolute URL.
  ///
  /// Its query must never contain a secret: URLs end up in logs and histories.
  public var url: URL { didSet { server = Server(url) } }
  /// The header fields.
  public var fields: HTTPFields
  /// The body, or `nil` for none.
  public var body: [UInt8]?
  /// The time limit for the whole exchange, from the call to the last byte of the response, or `nil` for the transport's limit.
  public var timeout: Duration?
  /// The instant after which a transport must not begin to send the request, or `nil` for none.
  ///
  /// A transport compares it with the clock as late as it can, and throws ``TransportError`` with code
  /// ``TransportError/Code/sendingDeadlinePassed`` if it has passed. Then nothing was sent. An exchange in progress is
  /// not affected.
  public var sendingDeadline: ContinuousClock.Instant?
  /// Whether the request can be sent again after it may have been carried out.
  ///
  /// Defaults to `true` for idempotent methods.
  public var isRepeatable: Bool
  /// The origins to which a redirect is followed.
  ///
  /// A redirect that is not followed is returned as the response.
  public var redirectScope: RedirectScope
  /// The server of the URL, which is parsed once.
  private var server: Server

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL, http or https.
  ///   - fields: The header fields.
  ///   - body: The body, or `nil` for none.
  ///   - timeout: The time limit for the whole exchange, or `nil` for the transport's limit.
  ///   - redirectScope: The origins to which a redirect is followed. Defaults to any.
  public init(
    _ method: HTTPMethod, _ url: URL, fields: HTTPFields = [:], body: [UInt8]? = nil, timeout: Duration? = nil,
    redirectScope: RedirectScope = .anyOrigin
  ) {
    self.method = method
    self.url = url
    server = Server(url)
    self.fields = fields
    self.body = body
    self.timeout = timeout
    self.redirectScope = redirectScope
    isRepeatable = method.isIdempotent
  }
}

extension HTTPRequest {
  /// The origin of the URL, or `nil` if it is not an absolute http or https URL.
  package var origin: Origin? { server.origin }

  private struct Server: Sendable, Hashable {
    let origin: Origin?
    /// Whether the URL has a user name or password.
    let hasUser: Bool

    init(_ url: URL) {
      if let plain = Origin(plain: url.absoluteString) {
        (origin, hasUser) = (plain, false)
      } else {
        (origin, hasUser) = (Origin(url), url.user() != nil || url.password() != nil)
      }
    }
  }
}

extension HTTPRequest {
  /// The origins to which a redirect is followed.
  public enum RedirectScope: Sendable, Hashable {
    /// Follows redirects to any origin. Credentials are sent to the origin of the request only.
    case anyOrigin
    /// Follows redirects within the origin of the request, such as for a document that no other origin may publish.
    case sameOrigin
    /// Follows no redirect, such as for a request whose fields are meant for one URL only.
    case noOrigin
  }
}

extension HTTPRequest {
  /// Validates the request: an http or https URL with a host and no user name, a method that is a token, and fields
  /// that cannot break out of their line.
  ///
  /// Its sending deadline must not have passed.
  ///
  /// - Throws: ``TransportError`` with code ``TransportError/Code/invalidRequest`` or
  ///   ``TransportError/Code/sendingDeadlinePassed``.
  package func validate() throws {
    guard origin != nil else {
      throw TransportError(.invalidRequest, "The URL must be absolute, http or https, with a host.")
    }
    guard !server.hasUser else {
      throw TransportError(.invalidRequest, "The URL must not contain a user name or password.")
    }
    guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(\.isTokenCharacter) else {
      throw TransportError(.invalidRequest, "The method is not a token of RFC 9110 § 5.6.2.")
    }
    if let field = fields.first(where: { !$0.isWellFormed }) {
      let name = field.name.utf8.allSatisfy(\.isTokenCharacter) ? field.name : "with a malformed name"
      throw TransportError(.invalidRequest, "The header field \(name) contains characters that HTTP does not allow.")
    }
    try checkSendingDeadline()
  }
}

extension HTTPRequest {
  /// Whether the sending deadline has passed.
  package var isTooLate: Bool { sendingDeadline.map { $0 < .now } ?? false }

  /// Checks that the sending deadline has not passed.
  ///
  /// - Throws: ``TransportError`` with code ``TransportError/Code/sendingDeadlinePassed``.
  package func checkSendingDeadline() throws(TransportError) {
    if isTooLate { throw TransportError.fault(.sendingDeadlinePassed, at: origin) }
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL without its query and fragment, never fields or body.
  public var description: String { "\(method) \(url.redactedDescription)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": url.redactedDescription, "fields": fields, "bodySize": body?.count ?? 0,
      ])
  }
}

extension URL {
  /// The URL without user and fragment, and with `?…` for a query: the form for logs, errors and descriptions.
  package var redactedDescription: String {
    guard let origin = Origin(self) else { return "\(scheme ?? "")://…" }
    return origin.description + path(percentEncoded: true) + (query(percentEncoded: true) == nil ? "" : "?…")
  }
}
