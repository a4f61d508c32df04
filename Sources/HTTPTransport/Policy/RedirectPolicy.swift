// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// The rules for following redirects ([RFC 9110 § 15.4](https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4)).
package struct RedirectPolicy: Sendable {
  /// The maximum number of consecutive redirects.
  ///
  /// With 0, a redirect is a response like any other.
  package let maximum: Int

  package init(maximum: Int) { self.maximum = maximum }

  /// Returns the request after a redirect, or `nil` if the response is final.
  ///
  /// - Parameter redirects: The number of followed redirects.
  /// - Throws: ``TransportError`` with code ``TransportError/Code/redirectRefused``.
  package func next(
    after status: Int, _ fields: HTTPFields, to request: HTTPRequest, redirects: Int
  ) throws(TransportError) -> HTTPRequest? {
    guard maximum > 0, request.redirectScope != .noOrigin, [301, 302, 303, 307, 308].contains(status),
      let location = fields["Location"]
    else { return nil }
    guard redirects < maximum else { throw refused("the limit of \(maximum) redirects is reached") }

    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL, let target = Origin(url),
      let source = request.origin, url.user() == nil, url.password() == nil
    else { throw refused("its location is not an http or https URL") }
    if request.redirectScope == .sameOrigin, target != source { return nil }
    guard source.scheme == "http" || target.scheme == "https" else { throw refused("it leads from https to http") }

    var next = request
    next.url = url
    if becomesGET(request.method, status: status) {
      next.method = .get
      next.isRepeatable = true
      next.body = nil
      for name in Self.contentFields { next.fields[name] = nil }
    }
    if target != source {
      guard next.body == nil else { throw refused("it would send the body to another origin, \(target)") }
      for name in Self.originBoundFields { next.fields[name] = nil }
    }
    return next
  }

  /// Whether the redirected request uses GET: RFC 9110 § 15.4.2 to § 15.4.4, with the change from POST to GET that
  /// every browser makes.
  private func becomesGET(_ method: HTTPMethod, status: Int) -> Bool {
    switch status {
    case 301, 302: method == .post
    case 303: method != .get && method != .head
    default: false
    }
  }

  private static let contentFields = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
    "Content-Digest", "Repr-Digest",
  ]

  private static let originBoundFields = ["Authorization", "Proxy-Authorization", "Cookie", "DPoP", "Host"]
}

extension RedirectPolicy {
  /// Sends `request` with `exchange`, and follows redirects until a response is final.
  ///
  /// - Throws: ``TransportError`` with code ``TransportError/Code/redirectRefused``, or any error of `exchange`. If a
  ///   server cannot be reached after a redirect, the code is ``TransportError/Code/connectionLost``, since the first
  ///   server has carried out the request.
  package func follow(
    _ request: HTTPRequest, exchange: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    var response = try await exchange(request)
    // Most responses are final. The code below copies the request.
    guard let target = try next(after: response.status, response.fields, to: request, redirects: 0) else {
      return response
    }
    // Whether a redirect led to another origin. A later redirect back does not restore the credentials.
    var hasLeft = target.origin != request.origin
    var request = target
    var redirects = 1
    while true {
      response = try await send(request, redirects: redirects, exchange)
      if hasLeft { response.redirectedOrigin = request.origin }
      guard let target = try next(after: response.status, response.fields, to: request, redirects: redirects) else {
        return response
      }
      hasLeft = hasLeft || target.origin != request.origin
      request = target
      redirects += 1
    }
  }

  /// Sends a request whose response and body are streamed.
  ///
  /// See ``follow(_:exchange:)``.
  ///
  /// A streamed body can be read once, so a redirect that would send it again is refused.
  package func follow(
    _ request: HTTPRequest, body: BodyStream?,
    exchange: (HTTPRequest, BodyStream?) async throws -> StreamedResponse
  ) async throws -> StreamedResponse {
    // Whether a redirect led to another origin. A later redirect back does not restore the credentials.
    var hasLeft = false
    var request = request
    var body = body
    var redirects = 0
    while true {
      let currentBody = body
      var response = try await send(request, redirects: redirects) { try await exchange($0, currentBody) }
      if hasLeft { response.redirectedOrigin = request.origin }
      guard let next = try next(after: response.status, response.fields, to: request, redirects: redirects) else {
        return response
      }
      if body != nil {
        guard next.method != request.method else { throw refused("the body was streamed and cannot be sent again") }
        body = nil
      }
      hasLeft = hasLeft || next.origin != request.origin
      request = next
      redirects += 1
    }
  }

  private func send<Response>(
    _ request: HTTPRequest, redirects: Int, _ exchange: (HTTPRequest) async throws -> Response
  ) async throws -> Response {
    do {
      return try await exchange(request)
    } catch let error as TransportError where error.code == .unreachable && redirects > 0 {
      throw TransportError(
        .connectionLost, reason: error.reason,
        "A redirect led to \(request.origin?.description ?? "a server"), which cannot be reached. "
          + "The request itself was carried out.",
        cause: error)
    }
  }

  private func refused(_ reason: String) -> TransportError {
    TransportError(.redirectRefused, "The server's redirect was not followed: \(reason).")
  }
}
