// SPDX-License-Identifier: Apache-2.0

/// A scope of access, requested by a client and granted by a server
/// ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3)).
///
/// Modules declare the scopes of their API, as `CalendarAPI` does for Google Calendar. Write any other scope as a literal.
///
/// ```swift
/// let scopes: [Scope] = [.openID, .email, "https://example.com/custom"]
/// ```
///
/// Scopes are compared byte by byte, so case matters. A server can grant a scope under another name, or as a part of a
/// broader scope. `ScopeRule` of `OAuthCore` defines which granted scopes cover another one.
public struct Scope: Sendable, ExpressibleByStringInterpolation {
  /// The scope as sent to the server.
  public let rawValue: String

  /// Creates a scope from its text as sent to the server, without checking the text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Creates a scope from a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The user's identity, as an ID token
  /// ([OpenID Connect Core § 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims)).
  public static let openID: Scope = "openid"
  /// The user's e-mail address.
  public static let email: Scope = "email"
  /// The user's name and picture.
  public static let profile: Scope = "profile"
  /// A refresh token, at servers that issue one only on request.
  public static let offlineAccess: Scope = "offline_access"
}

extension Scope: Hashable {
  /// Compares the bytes of the scopes.
  public static func == (left: Scope, right: Scope) -> Bool { left.rawValue.utf8.elementsEqual(right.rawValue.utf8) }

  /// Hashes the text: equal bytes have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Scope: Codable {
  /// Decodes a scope from a string.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

  /// Encodes the scope as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Scope: CustomStringConvertible, CustomDebugStringConvertible {
  /// The scope as sent to the server.
  public var description: String { rawValue }
  /// The scope in quotes, with control characters escaped.
  public var debugDescription: String { rawValue.debugDescription }
}

extension Scope {
  /// Whether the scope consists of the characters allowed by RFC 6749 § 3.3: printable ASCII without space, quote and
  /// backslash.
  package var isWellFormed: Bool {
    !rawValue.isEmpty && rawValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }
}

extension [Scope] {
  /// Creates a list from the value of a `scope` parameter, which separates scopes by spaces.
  package init(parameter text: String) {
    self = text.utf8.split(separator: UInt8(ascii: " ")).map { Scope(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the scopes followed by those of `others` not among them, in their order.
  package func appending(_ others: [Scope]) -> [Scope] {
    var known = Set(self)
    return self + others.filter { known.insert($0).inserted }
  }
}

extension Sequence<Scope> {
  /// Returns the scopes as one text, separated by spaces as in a `scope` parameter.
  public func joined(separator: String = " ") -> String { map(\.rawValue).joined(separator: separator) }
}
