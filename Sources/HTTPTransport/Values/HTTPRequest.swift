// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An HTTP request with its whole content.
public struct HTTPRequest: Sendable, Hashable {
  /// The request method.
  public var method: HTTPMethod
  /// The absolute URL.
  ///
  /// Its query must never hold a secret: URLs end up in logs and histories.
  public var url: URL { didSet { server = Server(url) } }
  /// The header fields.
  public var fields: HTTPFields
  /// The content, or `nil` for none.
  public var body: [UInt8]?
  /// How long the whole exchange may take, from the call to the last byte of the response; `nil` takes the transport's
  /// own limit.
  public var timeout: Duration?
  /// Whether a request that may have been carried out already may be sent again.
  ///
  /// Idempotent methods start with `true`.
  public var isRepeatable: Bool
  /// The origins to which a redirect is followed.
  ///
  /// A redirect that is not followed is the response.
  public var redirectScope: RedirectScope
  /// The state of the call's attempts; not part of the request's identity.
  package var attempts = CallAttempts()
  /// The server that the URL names, which is read once.
  private var server: Server

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL, http or https.
  ///   - fields: The header fields.
  ///   - body: The content, or `nil` for none.
  ///   - timeout: The limit for the whole exchange, or `nil` for the transport's own.
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
  /// The origin of the URL; `nil` if that is not an absolute http or https URL.
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
    /// Redirects to any origin are followed; credentials stay with the origin of the request.
    case anyOrigin
    /// Redirects within the origin of the request are followed, such as for a document that no other origin may publish.
    case sameOrigin
    /// No redirect is followed, such as for a request whose fields are meant for one URL alone.
    case noOrigin
  }
}

extension HTTPRequest {
  /// Checks what a transport would otherwise have to trust: an http or https URL with a host and no user name in
  /// it, a method that is a token, and fields that cannot break out of their line.
  ///
  /// - Throws: ``TransportError`` with code ``TransportError/Code/invalidRequest``.
  package func validate() throws {
    guard origin != nil else {
      throw TransportError(.invalidRequest, "The URL must be absolute, http or https, with a host.")
    }
    guard !server.hasUser else {
      throw TransportError(.invalidRequest, "The URL must not hold a user name or password.")
    }
    guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(\.isTokenCharacter) else {
      throw TransportError(.invalidRequest, "The method is not a token of RFC 9110 § 5.6.2.")
    }
    if let field = fields.first(where: { !$0.isWellFormed }) {
      let name = field.name.utf8.allSatisfy(\.isTokenCharacter) ? field.name : "with a malformed name"
      throw TransportError(.invalidRequest, "The header field \(name) holds characters that HTTP does not allow.")
    }
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the URL without its query and fragment; never fields or body.
  public var description: String { "\(method) \(url.redactedDescription)" }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": url.redactedDescription, "fields": fields, "bodySize": body?.count ?? 0,
      ])
  }
}

extension URL {
  /// The URL without user, query values and fragment: the form for logs, errors and descriptions.
  package var redactedDescription: String {
    guard let origin = Origin(self) else { return "\(scheme ?? "")://…" }
    return origin.description + path(percentEncoded: true) + (query(percentEncoded: true) == nil ? "" : "?…")
  }
}

/// The state of a call's attempts, which the layers that retry pass to each other.
///
/// Down the layers it travels in the request, up again in the response. It is no part of the identity of either: all values are
/// equal, and have the same hash.
package struct CallAttempts: Sendable, Hashable {
  /// Whether a layer above decides about further attempts.
  ///
  /// Layers below it that retry then send the request once.
  package var areDecidedAbove = false
  /// The number of failed attempts before the current one.
  package var failed = 0
  /// Whether one of the failed attempts may have been carried out.
  package var mayHaveSucceeded = false

  /// Creates the state of a call's first attempt.
  package init() {}

  package static func == (_: Self, _: Self) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}

extension HTTPRequest {
  /// Makes the request a repeat of the attempt that `response` ended, such as one with a new access token.
  ///
  /// A repeat is not an attempt: the failed ones before it stay counted, and no others.
  package mutating func repeatAttempt(of response: HTTPResponse) {
    attempts.failed = max(attempts.failed, response.attempts.failed)
    attempts.mayHaveSucceeded = attempts.mayHaveSucceeded || response.attempts.mayHaveSucceeded
  }
}
