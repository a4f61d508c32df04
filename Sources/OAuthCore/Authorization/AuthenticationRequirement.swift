// SPDX-License-Identifier: Apache-2.0

/// How the user must have authenticated: how recently, and in which way.
///
/// It is part of the authorization request, kept in ``PendingAuthorization``, and checked in the ID token of the sign-in by
/// `IDTokenVerifier` of the module OpenIDConnect:
///
/// ```swift
/// var parameters: AuthorizationParameters = [:]
/// parameters.authentication = AuthenticationRequirement(maximumAge: .seconds(300))
/// ```
public struct AuthenticationRequirement: Sendable, Hashable, Codable {
  /// How long ago the user may have authenticated, in whole seconds, `max_age`; `nil` for any time.
  public var maximumAge: Duration?
  /// The authentication context classes that are requested, the preferred one first.
  public var contextClasses: [String]
  /// Whether one of ``contextClasses`` must be met.
  ///
  /// Without it they are a wish, `acr_values`, and another class is accepted. With it they are requested as an essential claim
  /// ([OpenID Connect Core § 5.5.1.1](https://openid.net/specs/openid-connect-core-1_0.html#acrSemantics)).
  public var isContextClassEssential: Bool

  /// Creates a requirement.
  public init(
    maximumAge: Duration? = nil, contextClasses: [String] = [], isContextClassEssential: Bool = false
  ) {
    self.maximumAge = maximumAge
    self.contextClasses = contextClasses
    self.isContextClassEssential = isContextClassEssential
  }

  /// Whether an ID token can fail to meet it.
  ///
  /// A sign-in that requires it must request one, with the scope `openid`, and verify it.
  public var isEnforced: Bool { maximumAge != nil || isContextClassEssential }
}
