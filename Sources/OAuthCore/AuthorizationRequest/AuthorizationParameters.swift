// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import PlatformFoundation
import Timekeeping

/// The optional parameters of an authorization request.
///
/// Standard parameters have typed properties. Others are set by name:
///
/// ```swift
/// var parameters: AuthorizationParameters = ["access_type": "offline"]
/// parameters.prompt = [.selectAccount]
/// parameters.loginHint = "ada@example.com"
/// ```
public struct AuthorizationParameters: Sendable, Hashable {
  private var values: [String: String] = [:]
  /// The resources the access token is for, `resource`
  /// ([RFC 8707 § 2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2)).
  ///
  /// They are sent with the token request too, and stored with the token for refresh requests.
  public var resources: [URL] = []

  /// Creates parameters.
  ///
  /// - Parameters:
  ///   - prompt: The prompts for the user. If empty, the server decides.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  public init(prompt: [Prompt] = [], loginHint: String? = nil) {
    self.prompt = prompt
    self.loginHint = loginHint
  }

  /// The value of the parameter `name`.
  ///
  /// Setting `nil` removes it.
  public subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names and values, sorted by name, and then the resources.
  var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      + resources.map { (name: "resource", value: $0.absoluteString) }
  }

  /// Checks that every resource is an absolute URI without a fragment
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
  /// The prompts for the user, `prompt`.
  ///
  /// If empty, the server decides.
  public var prompt: [Prompt] {
    get { list("prompt").map(Prompt.init) }
    set { setList("prompt", newValue.map(\.rawValue)) }
  }

  /// The account to sign in with, such as an e-mail address, `login_hint`.
  public var loginHint: String? {
    get { self["login_hint"] }
    set { self["login_hint"] = newValue }
  }

  /// The maximum age of the user's authentication in whole seconds, `max_age`.
  public var maximumAge: Duration? {
    get { self["max_age"].flatMap { Int64($0) }.map { .seconds($0) } }
    set { self["max_age"] = newValue.map { String(max($0, .zero).clampedComponents.seconds) } }
  }

  /// The languages of the server's pages as BCP 47 tags, the preferred one first, `ui_locales`.
  public var uiLocales: [String] {
    get { list("ui_locales") }
    set { setList("ui_locales", newValue) }
  }

  /// The requested authentication context classes, the preferred one first, `acr_values`.
  public var acrValues: [String] {
    get { list("acr_values") }
    set { setList("acr_values", newValue) }
  }

  /// The authorization details, `authorization_details`
  /// ([RFC 9396](https://www.rfc-editor.org/rfc/rfc9396.html)).
  public var authorizationDetails: [AuthorizationDetail] {
    get { (self["authorization_details"]?.utf8).flatMap { [AuthorizationDetail](json: Array($0)) } ?? [] }
    set {
      // Only non-finite numbers cannot be encoded, and JSON has none.
      let text = try? JSONText.encode(newValue)
      self["authorization_details"] = newValue.isEmpty ? nil : text.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func list(_ name: String) -> [String] {
    values[name]?.split(ascii: " ").map(String.init) ?? []
  }

  private mutating func setList(_ name: String, _ list: [String]) {
    values[name] = list.isEmpty ? nil : list.joined(separator: " ")
  }
}

extension AuthorizationParameters {
  /// Returns these parameters with those of `other` added.
  ///
  /// If both have a parameter, the value of `other` replaces this one. Prompts are combined unless either list contains
  /// ``Prompt/none``. A request for ``Prompt/selectAccount`` therefore keeps the provider's ``Prompt/consent``.
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
  /// Adds the caller's parameters to those of the request itself.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for a parameter set by the request or
  ///   the client authentication.
  mutating func append(_ parameters: AuthorizationParameters) throws {
    try parameters.checkResources()
    let own = Set(map(\.name) + ["client_id", "client_secret", "scope", "grant_type"])
    for (name, value) in parameters.sorted {
      guard !own.contains(name) else {
        throw OAuthError(.invalidConfiguration, "The parameter \(name) is set by the request itself. Remove it.")
      }
      append(name, value)
    }
  }
}

extension AuthorizationParameters: ExpressibleByDictionaryLiteral {
  /// Creates parameters from names and values.
  ///
  /// For a repeated name, the last value is used.
  public init(dictionaryLiteral elements: (String, String)...) {
    values = Dictionary(elements) { $1 }
  }
}

extension AuthorizationParameters: CustomStringConvertible, CustomReflectable {
  /// The names without the values, since a value can identify a user.
  public var description: String { sorted.map(\.name).description }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["names": sorted.map(\.name)]) }
}

extension AuthorizationParameters {
  /// A prompt shown by the server regardless of the user's session
  /// ([OpenID Connect Core § 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest), parameter
  /// `prompt`).
  public struct Prompt: RawRepresentable, Sendable, Hashable {
    /// The value as sent.
    public let rawValue: String

    /// Creates a prompt with a value defined by the server.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No page is shown.
    ///
    /// If one is needed, the server returns an error such as `login_required`.
    ///
    /// It cannot be combined with other prompts.
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
