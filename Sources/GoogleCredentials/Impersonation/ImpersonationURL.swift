// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The member `service_account_impersonation_url` of a file: the URL of `generateAccessToken` for one account.
struct ImpersonationURL {
  /// The API's URL.
  let base: String
  /// The account's e-mail address.
  let email: String

  /// Returns the member; `nil` if there is none.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/untrustedURL`` if it leads elsewhere.
  init?(_ document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    let member = "service_account_impersonation_url"
    guard let url = try document.optionalURL(member) else { return nil }
    let path = url.path(percentEncoded: true)
    let prefix = "/v1/projects/-/serviceAccounts/"
    let suffix = ":generateAccessToken"
    guard GoogleHost.isHost(url, of: "iamcredentials", in: environment.universe), url.query() == nil,
      path.hasPrefix(prefix), path.hasSuffix(suffix), let origin = Origin(url)
    else { throw document.untrusted(member, expecting: "https://iamcredentials.googleapis.com\(prefix)EMAIL\(suffix)") }
    let name = path.dropFirst(prefix.count).dropLast(suffix.count).replacing("%40", with: "@")
    guard String(name).isAccountName else {
      throw document.error(.malformed, member, "does not name a service account by its e-mail address.")
    }
    base = origin.description
    email = String(name)
  }
}
