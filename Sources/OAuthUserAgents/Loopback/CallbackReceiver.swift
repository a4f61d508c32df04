// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import Support
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Responds to what arrives on the loopback port: the one link that begins the sign-in, and the one callback that belongs to
/// the pending authorization.
final class CallbackReceiver: Sendable {
  private let expected = Mutex<(pending: PendingAuthorization, link: OneTimeLink)?>(nil)
  private let wait = CallbackWait()

  /// Sets the authorization whose callback counts.
  ///
  /// Until then every request is refused.
  ///
  /// - Returns: The path of the one-time link to the authorization server.
  func expect(_ pending: PendingAuthorization) -> String {
    let link = OneTimeLink(to: pending.authorizationURL)
    expected.withLock { $0 = (pending, link) }
    return link.path
  }

  /// Waits for the callback.
  ///
  /// One task waits, once.
  func callback() async throws -> URL { try await wait.callback() }

  @Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let expected = expected.withLock { $0 }
    if let response = expected?.link.response(to: request) { return response }
    let pending = expected?.pending
    guard request.url.path(percentEncoded: true) == pending?.redirectURI.path(percentEncoded: true) else {
      return .page(404, "There is nothing at this address.")
    }
    guard request.method == .get else { return .methodNotAllowed }
    guard let pending, pending.isAnswered(by: request.url), wait.end(.success(request.url))
    else {
      return .page(400, "This does not belong to the sign-in that is under way. Go back to the application.")
    }
    return .page(200, "The application has your answer. You can close this window and go back to it.")
  }
}

extension HTTPResponse {
  static var methodNotAllowed: HTTPResponse {
    var response = page(405, "Only GET is answered here.")
    response.fields["Allow"] = "GET"
    return response
  }

  /// A page with one sentence, which loads nothing and is kept nowhere.
  static func page(_ status: Int, _ sentence: String) -> HTTPResponse {
    let html = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Sign-in</title><p>\(sentence)</p></html>
      """
    return HTTPResponse(status: status, fields: HTTPFields(SecurityHeaders.page()), body: Array(html.utf8))
  }
}
