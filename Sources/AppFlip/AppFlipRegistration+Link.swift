// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppFlipRegistration {
  /// Reads the universal link that Google's app has opened the app with.
  ///
  /// Parameters that App Flip does not know are ignored; one without a value counts as left out
  /// ([RFC 6749 § 3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.1)). Which host and path the link has is not
  /// looked at: the system opens only links that the app is associated with.
  ///
  /// - Parameter link: The URL as it came, the activity's `webpageURL`.
  /// - Returns: The request, which every check was made for.
  /// - Throws: ``AppFlipError``, whose ``AppFlipError/disposition`` says what to do: route the link elsewhere, ignore it, or
  ///   open a response.
  public func request(from link: URL) throws(AppFlipError) -> AppFlipRequest {
    let parameters = LinkParameters(link.query(percentEncoded: true) ?? "")
    guard link.scheme?.lowercased() == "https", parameters.areOfAppFlip else {
      throw AppFlipError(.notAppFlip, "The URL is not an App Flip link. Handle it as any other link of the app.")
    }
    // Until the redirect URI is verified, no response may be sent.
    let redirect = try redirect(in: parameters)
    do {
      return try request(parameters, redirect)
    } catch {
      throw error.responding(
        AppFlipResponse(
          redirect, .invalidRequest, description: error.message, encodedState: parameters.encoded["state"]))
    }
  }

  private func redirect(in parameters: LinkParameters) throws(AppFlipError) -> AppFlipRedirect {
    let address = try parameters.value("redirect_uri")
    guard let redirect = redirect(address) else {
      throw AppFlipError(
        .untrustedRedirect, "redirect_uri is not an App Flip address of Google's.", parameter: "redirect_uri")
    }
    guard redirects.contains(redirect) else {
      throw AppFlipError(
        .untrustedApp, "redirect_uri names an app that is not allowed. Allow its bundle identifier if it is Google's.",
        parameter: "redirect_uri")
    }
    return redirect
  }

  private func request(_ parameters: LinkParameters, _ redirect: AppFlipRedirect) throws(AppFlipError)
    -> AppFlipRequest
  {
    guard parameters.repeated.isEmpty else {
      throw .repeated(LinkParameters.known.first(where: parameters.repeated.contains))
    }
    guard isClient(try parameters.value("client_id")) else {
      throw AppFlipError(.unknownClient, "client_id is not the one that is registered here.", parameter: "client_id")
    }
    _ = try parameters.value("state")
    return AppFlipRequest(
      clientID: clientID, scopes: try [String](scopeParameter: parameters.encoded["scope"].map(\.formDecoded), "scope"),
      redirect: redirect, encodedState: parameters.encoded["state"] ?? "")
  }
}

/// The query of a link, taken apart but left percent-encoded: decoding would lose bytes of a state that is not UTF-8, and
/// whether its spaces were written `+` or `%20`.
private struct LinkParameters {
  static let known = ["client_id", "redirect_uri", "scope", "state"]

  /// What stands after each name that occurs once and has a value.
  private(set) var encoded: [String: String] = [:]
  private(set) var repeated: Set<String> = []

  init(_ query: String) {
    var seen: Set<String> = []
    for piece in query.split(separator: "&") {
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0]).formDecoded
      guard seen.insert(name).inserted else {
        repeated.insert(name)
        encoded[name] = nil
        continue
      }
      if parts.count == 2, !parts[1].isEmpty { encoded[name] = String(parts[1]) }
    }
  }

  /// Whether one of the two parameters is there that no other link of an app has reason to have.
  var areOfAppFlip: Bool { ["client_id", "redirect_uri"].contains { encoded[$0] != nil || repeated.contains($0) } }

  func value(_ name: String) throws(AppFlipError) -> String {
    guard !repeated.contains(name) else { throw .repeated(name) }
    guard let encoded = encoded[name] else { throw .missing(name) }
    return encoded.formDecoded
  }
}

extension String {
  fileprivate var formDecoded: String { FormEncoding.form.decodeComponent(Array(utf8).span) }
}

extension [String] {
  /// Reads a list of scopes ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3)).
  init(scopeParameter text: String?, _ name: String) throws(AppFlipError) {
    let scopes = (text ?? "").split(separator: " ")
    guard scopes.allSatisfy({ $0.utf8.allSatisfy(\.isScopeCharacter) }) else {
      throw AppFlipError(.malformedParameter, "\(name) holds a character that no scope may have.", parameter: name)
    }
    self = scopes.map(String.init)
  }
}

extension UInt8 {
  fileprivate var isScopeCharacter: Bool {
    self > 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
