// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support
import Synchronization
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A loopback URL that redirects to the authorization server, once.
///
/// The arguments of a process are visible to every user of a machine. This link stands there instead of the authorization
/// URL, whose `state` and challenge would let another user finish the sign-in with an account of their own
/// ([RFC 9700 § 4.7](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.7)).
final class OneTimeLink: Sendable {
  /// The path and the key of the link.
  let path: String
  private let target: Mutex<URL?>

  init(to url: URL) {
    path = "/start/" + randomToken()
    target = Mutex(url)
  }

  /// Returns the response to a request for this path, or `nil` if `path` is another.
  func response(to request: HTTPRequest) -> HTTPResponse? {
    guard Secret(request.url.path(percentEncoded: true)) == Secret(path) else { return nil }
    guard request.method == .get else { return .methodNotAllowed }
    guard let url = target.withLock({ $0.take() }) else {
      return .page(410, "This link was used already. Go back to the application and start the sign-in again.")
    }
    return .seeOther(url.absoluteString)
  }
}
