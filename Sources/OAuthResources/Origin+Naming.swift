// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Origin {
  /// Checks that a resource does not make this program send requests to hosts that the resource itself may not reach: those of this
  /// machine, of its link and of private networks.
  ///
  /// A resource may name hosts on the internet, its own host, and hosts in the same kind of network as itself, as on a developer's
  /// machine. Names are judged as they are written: a public DNS name that resolves to a private address is not recognized. Only the
  /// connection, or a proxy that all requests go through, can refuse it.
  ///
  /// - Parameter url: A URL that the resource, or the server that it names, has published.
  /// - Throws: `OAuthError` with code `invalidResponse`.
  func checkMayName(_ url: URL) throws(OAuthError) {
    guard let named = Origin(url), named.host != host, named.reach != .everywhere,
      named.reach != reach || reach == .unknown
    else { return }
    let place =
      switch named.reach {
      case .machine: "on this machine"
      case .link, .network: "in a private network"
      case .everywhere, .unknown: "not a usual host"
      }
    throw OAuthError(
      .invalidResponse,
      "The resource at \(self) names \(OAuthError.printable(url.redactedDescription, limit: 200)), which is \(place). Do not sign in there. If you trust it, name the authorization server yourself."
    )
  }
}
