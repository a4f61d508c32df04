// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
package import OAuthCore

/// A transport that signs in again when a resource requires it, and then repeats the request.
///
/// Create it with `OAuthAccount.transport(for:stepUpLimit:)`. It shows pages to the user, so use it only if a user waits for the response. The
/// resource has rejected the request before each repetition, so nothing takes effect twice.
///
/// The number of pages is limited. For all transports and requests of an `OAuthAccount`, in any ten minutes:
///
/// - Concurrently rejected requests share one sign-in.
/// - A challenge for the same scopes and authentication leads to one sign-in, even if it fails. A challenge for a newer
///   authentication (`max_age`) leads to another sign-in once this age has passed.
/// - The total number of sign-ins is at most the transport's limit.
///
/// Beyond these limits, the resource's challenge is returned as the response. `OAuthAccount.authorize(for:)` is not limited. The
/// `OAuthAccount` counts the sign-ins, so the limits do not apply across several accounts for the same user.
public struct StepUpTransport: Transport {
  private let base: AuthorizedTransport
  private let account: OAuthAccount
  private let limit: Int

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that adds the account's token.
  ///   - account: The account that signs in.
  ///   - limit: The maximum number of sign-ins for one request, and for all requests of the account in ten minutes.
  package init(wrapping base: AuthorizedTransport, account: OAuthAccount, limit: Int) {
    self.base = base
    self.account = account
    self.limit = limit
  }

  /// Sends `request` with an access token, and repeats it after each sign-in required by the resource.
  ///
  /// - Returns: The response. Beyond the limits, it is the resource's challenge.
  /// - Throws: The errors of `AuthorizedTransport.send(_:)` and `OAuthAccount.authorize(for:)`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var left = limit
    let call = CallContext.current?.call ?? Call(timeout: request.timeout)
    let isDecidedAbove = CallContext.current?.isDecidedAbove ?? false
    while true {
      let token = try await TransportError.preparing { try await account.authorize() }
      let response = try await CallContext.send(request, by: base, within: call, isDecidedAbove: isDecidedAbove)
      guard left > 0, response.redirectedOrigin == nil, let demand = TokenChallenge(response), demand.isStepUp
      else {
        return response
      }
      left -= 1
      let isMet = try await TransportError.preparing {
        try await account.stepUps.inTurn {
          // Another request may have completed the sign-in.
          if try await account.tokens.accessToken().value != token.value { return true }
          return try await account.stepUps.meet(demand, upTo: limit) {
            try await account.authorize(for: demand).value != token.value
          }
        }
      }
      guard isMet else { return response }
    }
  }
}

extension TokenChallenge {
  /// Whether a new sign-in can satisfy the challenge.
  fileprivate var isStepUp: Bool { reason == .insufficientScope || reason == .insufficientUserAuthentication }
}
