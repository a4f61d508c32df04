// SPDX-License-Identifier: Apache-2.0

public import TokenStore

extension StoredToken {
  /// The authorization details that were granted
  /// ([RFC 9396 § 7](https://www.rfc-editor.org/rfc/rfc9396.html#section-7)); empty if the server named none.
  public var grantedDetails: [AuthorizationDetail] {
    authorizationDetails.flatMap { [AuthorizationDetail](json: Array($0.utf8)) } ?? []
  }
}
