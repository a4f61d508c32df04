// SPDX-License-Identifier: Apache-2.0

import JSONCoding

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
