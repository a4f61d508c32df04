// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Requirements for the user's authentication: its maximum age and its context class.
///
/// They are part of the authorization request and kept in ``PendingAuthorization``. `IDTokenVerifier` of module OpenIDConnect checks
/// them in the ID token of the sign-in:
///
/// ```swift
/// var parameters: AuthorizationParameters = [:]
/// parameters.authentication = AuthenticationRequirement(maximumAge: .seconds(300))
/// ```
public struct AuthenticationRequirement: Sendable, Hashable, Codable {
  /// The maximum age of the user's authentication in whole seconds, `max_age`, or `nil` for any age.
  public var maximumAge: Duration?
  /// The requested authentication context classes, the preferred one first.
  public var contextClasses: [String]
  /// Whether one of ``contextClasses`` must be met.
  ///
  /// If `false`, the classes are voluntary (`acr_values`), and another class is accepted. If `true`, they are requested as an essential
  /// claim ([OpenID Connect Core § 5.5.1.1](https://openid.net/specs/openid-connect-core-1_0.html#acrSemantics)).
  public var isContextClassEssential: Bool

  /// Creates a requirement.
  public init(
    maximumAge: Duration? = nil, contextClasses: [String] = [], isContextClassEssential: Bool = false
  ) {
    self.maximumAge = maximumAge
    self.contextClasses = contextClasses
    self.isContextClassEssential = isContextClassEssential
  }

  /// Whether the ID token must be checked for these requirements.
  ///
  /// A sign-in with enforced requirements must request an ID token, with the scope `openid`, and verify it.
  public var isEnforced: Bool { maximumAge != nil || isContextClassEssential }
}

extension AuthorizationParameters {
  /// The requirements for the user's authentication.
  ///
  /// They are read from and written to the parameters `max_age` and `acr_values`. If a class is essential, the claim `acr` in `claims`
  /// replaces `acr_values`.
  public var authentication: AuthenticationRequirement {
    get {
      let claim = claims?["id_token"]?["acr"]
      let isEssential = claim?["essential"]?.bool ?? false
      let values = claim?["values"]?.strings ?? claim?["value"]?.string.map { [$0] }
      return AuthenticationRequirement(
        maximumAge: maximumAge, contextClasses: isEssential ? values ?? [] : acrValues,
        isContextClassEssential: isEssential)
    }
    set {
      maximumAge = newValue.maximumAge
      // OpenID Connect Core § 5.5.1.1: in one of the two ways, since the meaning of both together is unspecified.
      acrValues = newValue.isContextClassEssential ? [] : newValue.contextClasses
      var claims = claims?.object ?? [:]
      var claimsOfIDToken = claims["id_token"]?.object ?? [:]
      claimsOfIDToken["acr"] = newValue.isContextClassEssential ? Self.essential(newValue.contextClasses) : nil
      claims["id_token"] = claimsOfIDToken.isEmpty ? nil : .object(claimsOfIDToken)
      self["claims"] = claims.isEmpty ? nil : String(decoding: JSONValue.object(claims).json(), as: UTF8.self)
    }
  }

  /// Checks that `max_age` and `claims` are well-formed, so ``authentication`` contains every requirement the server
  /// reads.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  func checkAuthentication() throws(OAuthError) {
    guard self["max_age"] == nil || maximumAge.map({ $0 >= .zero }) ?? false else {
      throw OAuthError(.invalidConfiguration, "The parameter max_age must be a number of seconds.")
    }
    guard self["claims"] == nil || claims?.object != nil else {
      throw OAuthError(.invalidConfiguration, "The parameter claims must be a JSON object.")
    }
  }

  private var claims: JSONValue? {
    self["claims"].flatMap { try? JSONValue(json: Array($0.utf8), requiringUniqueNames: true) }
  }

  private static func essential(_ classes: [String]) -> JSONValue {
    var claim: [String: JSONValue] = ["essential": true]
    if !classes.isEmpty { claim["values"] = .array(classes.map { .string($0) }) }
    return .object(claim)
  }
}
