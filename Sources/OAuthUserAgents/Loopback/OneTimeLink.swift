// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Support
import Synchronization
import TokenStore

/// A loopback URL that redirects to the authorization server, once.
///
/// Every user of a machine can see the arguments of a process. This link replaces the authorization URL there: with its `state`
/// and challenge, another user could finish the sign-in with an account of their own
/// ([RFC 9700 § 4.7](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.7)).
///
/// Another user who reads the link may be faster than the browser. A second request therefore shows that one of the two was not
/// the browser's.
final class OneTimeLink: Sendable {
  /// The path of the link, which includes its key.
  let path: String
  private let target: Mutex<URL?>
  private let noticeReuse: @Sendable () -> Void

  /// - Parameter noticeReuse: A closure called for every request after the first.
  init(to url: URL, noticeReuse: @escaping @Sendable () -> Void) {
    path = "/start/" + randomToken()
    target = Mutex(url)
    self.noticeReuse = noticeReuse
  }

  /// Returns the response to a request for the link's path, or `nil` for another path.
  func response(to request: HTTPRequest) -> HTTPResponse? {
    guard Secret(request.url.path(percentEncoded: true)) == Secret(path) else { return nil }
    guard request.method == .get else { return .methodNotAllowed }
    // A browser that prefetches requests the page again when the user opens it. Its prefetch must not count as the first
    // request.
    guard !request.isSpeculative else { return .page(503, "The sign-in begins when this page is opened.") }
    guard let url = target.withLock({ $0.take() }) else {
      noticeReuse()
      return .page(
        410, "This link has already been used, so the sign-in has ended. Return to the application and start it again.")
    }
    return .seeOther(url.absoluteString)
  }
}

extension HTTPRequest {
  /// Whether a browser prefetches the page: `Sec-Purpose`
  /// ([Fetch § 3.7](https://fetch.spec.whatwg.org/#sec-purpose-header)), or the older fields that browsers send
  /// instead.
  fileprivate var isSpeculative: Bool {
    ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].contains { name in
      fields.values(for: name).contains { value in
        ["prefetch", "prerender", "preview"].contains { value.lowercased().contains($0) }
      }
    }
  }
}
