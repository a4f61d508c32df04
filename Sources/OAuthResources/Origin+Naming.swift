// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation

extension Origin {
  /// Checks that a resource does not direct requests of this program to hosts on this machine, its link or a private network.
  ///
  /// A resource can name hosts on the internet, its own host, and hosts in the same kind of network, as on a developer's machine. The
  /// check uses the host's name without resolving it, so it does not detect a public DNS name that resolves to a private address. Only the
  /// connection, or a proxy for all requests, can reject it.
  ///
  /// - Parameter url: A URL from the metadata of the resource or of its authorization server.
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
      "The resource at \(self) names \(OAuthError.printable(url.redactedDescription, limit: 200)), which is \(place). Do not sign in there. If you trust it, specify the authorization server."
    )
  }
}
