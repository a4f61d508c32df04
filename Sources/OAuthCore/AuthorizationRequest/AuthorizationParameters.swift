// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Parameters of an authorization request beyond those that OAuth itself sets: the standard ones typed, any other by its name.
///
/// ```swift
/// var parameters: AuthorizationParameters = ["access_type": "offline"]
/// parameters.prompt = [.selectAccount]
/// parameters.loginHint = "ada@example.com"
/// ```
public struct AuthorizationParameters: Sendable, Hashable {
  private var values: [String: String] = [:]
  /// The services that the access token is for, parameter `resource`
  /// ([RFC 8707 § 2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2)).
  ///
  /// They are part of the token request too, and kept with the token for its refreshes.
  public var resources: [URL] = []

  /// Creates parameters.
  ///
  /// - Parameters:
  ///   - prompt: What the server asks of the user. Empty leaves it to the server.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  public init(prompt: [Prompt] = [], loginHint: String? = nil) {
    self.prompt = prompt
    self.loginHint = loginHint
  }

  /// The value of the parameter called `name`; `nil` removes it.
  public subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names, sorted, with their values, and then the resources.
  var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      + resources.map { (name: "resource", value: $0.absoluteString) }
  }

  /// Checks that a resource is an absolute URI without a fragment
  /// ([RFC 8707 § 2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2)).
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  func checkResources() throws {
    if let resource = resources.first(where: { $0.scheme == nil || $0.fragment() != nil }) {
      throw OAuthError(
        .invalidConfiguration,
        "The resource \(OAuthError.printable(resource.absoluteString, limit: 200)) is not an absolute URI without a fragment."
      )
    }
  }
}

extension AuthorizationParameters {
  /// What the server asks of the user, `prompt`.
  ///
  /// Empty leaves that to the server.
  public var prompt: [Prompt] {
    get { list("prompt").map(Prompt.init) }
    set { setList("prompt", newValue.map(\.rawValue)) }
  }

  /// The account to sign in with, such as an e-mail address, `login_hint`.
  public var loginHint: String? {
    get { self["login_hint"] }
    set { self["login_hint"] = newValue }
  }

  /// How long ago the user may have signed in at the server, in whole seconds, `max_age`.
  public var maximumAge: Duration? {
    get { self["max_age"].flatMap { Int64($0) }.map { .seconds($0) } }
    set { self["max_age"] = newValue.map { String(max(0, $0.components.seconds)) } }
  }

  /// The languages of the server's pages as BCP 47 tags, the preferred one first, `ui_locales`.
  public var uiLocales: [String] {
    get { list("ui_locales") }
    set { setList("ui_locales", newValue) }
  }

  /// The authentication context classes that are requested, the preferred one first, `acr_values`.
  public var acrValues: [String] {
    get { list("acr_values") }
    set { setList("acr_values", newValue) }
  }

  /// What is requested in more detail than scopes can say, `authorization_details`
  /// ([RFC 9396](https://www.rfc-editor.org/rfc/rfc9396.html)).
  public var authorizationDetails: [AuthorizationDetail] {
    get { (self["authorization_details"]?.utf8).flatMap { [AuthorizationDetail](json: Array($0)) } ?? [] }
    set {
      // Only numbers that are not finite cannot be encoded, and no JSON has them.
      let text = try? JSONText.encode(newValue)
      self["authorization_details"] = newValue.isEmpty ? nil : text.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func list(_ name: String) -> [String] {
    values[name]?.split(separator: " ").map(String.init) ?? []
  }

  private mutating func setList(_ name: String, _ list: [String]) {
    values[name] = list.isEmpty ? nil : list.joined(separator: " ")
  }
}

extension AuthorizationParameters {
  /// Returns these parameters with those of `other` added.
  ///
  /// Where both have a parameter, the value of `other` replaces this one's, except that prompts are combined: a request that
  /// asks for an account to be selected still asks for the consent that the provider needs.
  public func merging(_ other: AuthorizationParameters) -> AuthorizationParameters {
    var merged = self
    merged.values.merge(other.values) { $1 }
    if !other.resources.isEmpty { merged.resources = other.resources }
    // OpenID Connect Core § 3.1.2.1: `none` stands alone.
    if !other.prompt.contains(.none), !prompt.contains(.none) {
      merged.prompt = prompt + other.prompt.filter { !prompt.contains($0) }
    }
    return merged
  }
}

extension FormFields {
  /// Adds the parameters of a caller to those that a request sets itself.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for a parameter that is there, or that the client
  ///   authentication sets.
  mutating func append(_ parameters: AuthorizationParameters) throws {
    try parameters.checkResources()
    let own = Set(map(\.name) + ["client_id", "client_secret", "scope", "grant_type"])
    for (name, value) in parameters.sorted {
      guard !own.contains(name) else {
        throw OAuthError(.invalidConfiguration, "The parameter \(name) is set by the request itself.")
      }
      append(name, value)
    }
  }
}

extension AuthorizationParameters: ExpressibleByDictionaryLiteral {
  /// Creates parameters from names and values; of a repeated name, the last value counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    values = Dictionary(elements) { $1 }
  }
}

extension AuthorizationParameters: CustomStringConvertible, CustomReflectable {
  /// The names alone: a value may name a user.
  public var description: String { sorted.map(\.name).description }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["names": sorted.map(\.name)]) }
}

extension AuthorizationParameters {
  /// What the server asks of the user, regardless of their session there
  /// ([OpenID Connect Core § 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest), parameter `prompt`).
  public struct Prompt: RawRepresentable, Sendable, Hashable {
    /// The value as sent.
    public let rawValue: String

    /// Creates a prompt of the server's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No page: an error such as `login_required` is returned if one is needed.
    ///
    /// It cannot be combined with others.
    public static let none = Self(rawValue: "none")
    /// The user signs in again.
    public static let login = Self(rawValue: "login")
    /// The user consents again.
    public static let consent = Self(rawValue: "consent")
    /// The user selects an account.
    public static let selectAccount = Self(rawValue: "select_account")
    /// The user creates an account
    /// ([Initiating User Registration](https://openid.net/specs/openid-connect-prompt-create-1_0.html)).
    public static let create = Self(rawValue: "create")
  }
}
