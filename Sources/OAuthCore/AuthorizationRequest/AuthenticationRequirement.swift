// SPDX-License-Identifier: Apache-2.0

import JSONCoding

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

extension AuthorizationParameters {
  /// How the user must authenticate: `max_age`, and `acr_values` or, if a class is essential, the claim `acr` in `claims`.
  ///
  /// It is read from the parameters, however they were set.
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
      // OpenID Connect Core § 5.5.1.1: requested in one way only, since both together mean nothing that is specified.
      acrValues = newValue.isContextClassEssential ? [] : newValue.contextClasses
      var claims = claims?.object ?? [:]
      var claimsOfIDToken = claims["id_token"]?.object ?? [:]
      claimsOfIDToken["acr"] = newValue.isContextClassEssential ? Self.essential(newValue.contextClasses) : nil
      claims["id_token"] = claimsOfIDToken.isEmpty ? nil : .object(claimsOfIDToken)
      self["claims"] = claims.isEmpty ? nil : String(decoding: JSONValue.object(claims).json(), as: UTF8.self)
    }
  }

  /// Checks that what a server would read as a requirement is read as one here too.
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
