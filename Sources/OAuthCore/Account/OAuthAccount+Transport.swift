// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OAuthAccount {
  /// Returns a transport that adds this account's token to requests to the origin of `url`, and to no other.
  ///
  /// - Parameter url: Any URL of the API, https or http to loopback. With another URL every request fails.
  public func transport(for url: URL) -> AuthorizedTransport {
    transport(for: Set([Origin(url)].compactMap(\.self)))
  }
}
