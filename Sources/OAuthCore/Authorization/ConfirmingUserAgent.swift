// SPDX-License-Identifier: Apache-2.0

extension UserAgent {
  /// Returns a user agent that calls `confirm` for each sign-in before it shows a page.
  ///
  /// ```swift
  /// let browser = LoopbackUserAgent.systemBrowser { url, _ in print(url) }.confirming { pending in
  ///   guard await user.allows(pending.issuer, pending.resources, pending.scopes) else { throw CancellationError() }
  /// }
  /// ```
  ///
  /// - Parameter confirm: Called with the authorization to be made: its issuer, resources and scopes. They may come from a
  ///   server, so clean them before you print them. An error ends the sign-in, and no page is shown. With a pushed request, the
  ///   authorization server has received the request by then.
  public func confirming(
    _ confirm: @escaping @Sendable (_ pending: PendingAuthorization) async throws -> Void
  ) -> some UserAgent {
    ConfirmingUserAgent(base: self, confirm: confirm)
  }
}

/// A user agent that has every authorization confirmed before it is shown.
private struct ConfirmingUserAgent: UserAgent {
  let base: any UserAgent
  let confirm: @Sendable (PendingAuthorization) async throws -> Void

  func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationResponse {
    try await base.authorize { redirectURI in
      let pending = try await begin(redirectURI)
      try await confirm(pending)
      return pending
    }
  }
}
