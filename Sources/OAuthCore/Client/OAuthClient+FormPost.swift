// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import PlatformFoundation
public import TokenStore

extension OAuthClient {
  /// Checks a callback sent by the browser as a form, and exchanges the code for tokens
  /// ([form_post](https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html)).
  ///
  /// The checks are those of ``completeAuthorization(_:callback:)``.
  ///
  /// - Parameters:
  ///   - pending: The value returned by
  ///     ``beginAuthorization(scopes:redirectURI:prompt:loginHint:parameters:lifetime:)``.
  ///   - callback: The URL the form was posted to, as the browser sees it.
  ///   - form: The request body, unchanged.
  /// - Returns: The tokens. Their `scopes` may be fewer than those requested.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public func completeAuthorization(
    _ pending: PendingAuthorization, callback: URL, form: [UInt8]
  ) async throws -> StoredToken {
    let fields = String(validating: form, as: UTF8.self).map { FormEncoding.form.decode($0) } ?? [:]
    try RedirectResponse.checkFragment(of: callback)
    let url = URL(string: String(callback.absoluteString.prefix { $0 != "#" }))
    guard let complete = url?.appending(fields, as: .form) else {
      throw OAuthError(.invalidCallback, "The callback cannot be written as a URL. Pass the callback URL unchanged.")
    }
    return try await completeAuthorization(pending, callback: complete)
  }
}
