// SPDX-License-Identifier: Apache-2.0

/// What the server asks of the user, regardless of their session there
/// ([OpenID Connect Core § 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest), parameter `prompt`).
public struct AuthorizationPrompt: RawRepresentable, Sendable, Hashable {
  /// The value as sent.
  public let rawValue: String

  /// Creates a prompt of the server's own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No page: an error such as `login_required` is returned if one is needed.
  ///
  /// It cannot be combined with others.
  public static let none = AuthorizationPrompt(rawValue: "none")
  /// The user signs in again.
  public static let login = AuthorizationPrompt(rawValue: "login")
  /// The user consents again.
  public static let consent = AuthorizationPrompt(rawValue: "consent")
  /// The user selects an account.
  public static let selectAccount = AuthorizationPrompt(rawValue: "select_account")
  /// The user creates an account
  /// ([Initiating User Registration](https://openid.net/specs/openid-connect-prompt-create-1_0.html)).
  public static let create = AuthorizationPrompt(rawValue: "create")
}
