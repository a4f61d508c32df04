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
///
/// Another user who reads the link there may be faster than the browser, so that a second request tells that one of the two was not
/// the browser.
final class OneTimeLink: Sendable {
  /// The path and the key of the link.
  let path: String
  private let target: Mutex<URL?>
  private let noticeReuse: @Sendable () -> Void

  /// - Parameter noticeReuse: Called for every request after the first.
  init(to url: URL, noticeReuse: @escaping @Sendable () -> Void) {
    path = "/start/" + randomToken()
    target = Mutex(url)
    self.noticeReuse = noticeReuse
  }

  /// Returns the response to a request for this path, or `nil` if `path` is another.
  func response(to request: HTTPRequest) -> HTTPResponse? {
    guard Secret(request.url.path(percentEncoded: true)) == Secret(path) else { return nil }
    guard request.method == .get else { return .methodNotAllowed }
    // A browser that looks ahead asks again when the user goes there, and must not be the first of two.
    guard !request.isSpeculative else { return .page(503, "The sign-in begins when this page is opened.") }
    guard let url = target.withLock({ $0.take() }) else {
      noticeReuse()
      return .page(
        410, "This link was used already, so the sign-in has ended. Go back to the application and start it again.")
    }
    return .seeOther(url.absoluteString)
  }
}

extension HTTPRequest {
  /// Whether a browser requests what the user may go to next: `Sec-Purpose`
  /// ([Fetch § 3.7](https://fetch.spec.whatwg.org/#sec-purpose-header)), and what browsers send in its place.
  fileprivate var isSpeculative: Bool {
    ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].contains { name in
      fields.values(for: name).contains { value in
        ["prefetch", "prerender", "preview"].contains { value.lowercased().contains($0) }
      }
    }
  }
}
