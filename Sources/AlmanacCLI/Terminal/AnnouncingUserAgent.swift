// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user agent that calls a function when the callback has brought a code, before the code is exchanged.
struct AnnouncingUserAgent: UserAgent {
  let base: any UserAgent
  /// Called before the exchange; not for a refusal, and not for what does not belong to the sign-in.
  let announce: @Sendable () -> Void

  func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationResponse {
    let response = try await base.authorize(begin)
    let fields = FormEncoding.form.decode(response.callback.query(percentEncoded: true) ?? "")
    if response.pending.isAnswered(by: response.callback), fields["code"] != nil { announce() }
    return response
  }
}
