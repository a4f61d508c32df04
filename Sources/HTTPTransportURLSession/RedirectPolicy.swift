package import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides what follows a redirect ([RFC 9110 § 15.4](https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4)).
package struct RedirectPolicy: Sendable {
  /// How many redirects are followed one after the other; 0 for none, which makes every redirect an answer.
  package let maximum: Int

  package init(maximum: Int) { self.maximum = maximum }

  /// The request that `response` asks for, or `nil` when it is the answer.
  ///
  /// - Parameter redirects: How many redirects have been followed before.
  /// - Throws: ``TransportError`` with code ``TransportError/Code/redirectRefused``.
  package func next(
    after response: HTTPResponse, to request: HTTPRequest, redirects: Int
  ) throws(TransportError) -> HTTPRequest? {
    guard maximum > 0, [301, 302, 303, 307, 308].contains(response.status),
      let location = response.fields["Location"]
    else { return nil }
    guard redirects < maximum else { throw refused("the limit of \(maximum) redirects is reached") }

    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, let target = Origin(url),
      let source = Origin(request.url), url.user() == nil, url.password() == nil
    else { throw refused("its location is not an http or https address") }
    guard source.scheme == "http" || target.scheme == "https" else { throw refused("it leads from https to http") }

    var next = request
    next.url = url
    if becomesGET(request.method, status: response.status) {
      next.method = .get
      next.isRepeatable = true
      next.body = nil
      for name in Self.contentFields { next.fields[name] = nil }
    }
    if target != source {
      guard next.body == nil else { throw refused("it would send the content to another origin, \(target)") }
      for name in Self.originBoundFields { next.fields[name] = nil }
    }
    return next
  }

  /// RFC 9110 § 15.4.2 to § 15.4.4, with the change from POST to GET that every browser makes.
  private func becomesGET(_ method: HTTPMethod, status: Int) -> Bool {
    switch status {
    case 301, 302: method == .post
    case 303: method != .get && method != .head
    default: false
    }
  }

  private func refused(_ reason: String) -> TransportError {
    TransportError(.redirectRefused, "The server's redirect was not followed: \(reason).")
  }

  private static let contentFields = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
    "Content-Digest", "Repr-Digest",
  ]

  private static let originBoundFields = ["Authorization", "Proxy-Authorization", "Cookie", "DPoP", "Host"]
}
