// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
package import OAuthCore

/// A transport that signs in again as a resource demands, and then sends the request once more.
///
/// Made by `OAuthAccount.transport(for:stepUps:)`. It shows the user a page: use it where there is a user who waits for the
/// response. The request is refused until then, so that nothing is carried out twice.
///
/// A resource cannot make it show any number of pages. Over all transports and requests of an `OAuthAccount`, in any ten minutes,
///
/// - requests that are refused at the same time share one sign-in;
/// - a demand for the same scopes and authentication is met once, whether or not the sign-in succeeded; one for a newer
///   authentication (`max_age`) once in the age that it allows;
/// - no more demands are met than the transport's limit.
///
/// For a demand beyond these limits, the resource's refusal is returned as the response. `OAuthAccount.authorize(for:)` is not limited.
/// The count is kept in the `OAuthAccount` alone: a program that makes an account for each request has no such limit.
public struct StepUpTransport: Transport {
  private let base: AuthorizedTransport
  private let account: OAuthAccount
  private let limit: Int

  /// - Parameters:
  ///   - base: The transport that adds the account's token.
  ///   - account: The account that signs in.
  ///   - limit: How many demands are met for one request, and for all of the account in ten minutes.
  package init(wrapping base: AuthorizedTransport, account: OAuthAccount, limit: Int) {
    self.base = base
    self.account = account
    self.limit = limit
  }

  /// Sends `request` with an access token, and again after each sign-in that the resource demands.
  ///
  /// - Returns: The response, which is the resource's refusal if its demand was not met.
  /// - Throws: What `AuthorizedTransport.send(_:)` and `OAuthAccount.authorize(for:)` throw.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var left = limit
    var request = request
    while true {
      let token = try await TransportError.preparing { try await account.authorize() }
      let response = try await base.send(request)
      request.repeatAttempt(of: response)
      guard left > 0, response.redirectedOrigin == nil, let demand = TokenChallenge(response), demand.isStepUp
      else {
        return response
      }
      left -= 1
      let isMet = try await TransportError.preparing {
        try await account.stepUps.inTurn {
          // Another request may have met the demand meanwhile.
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
  /// Whether a new sign-in may bring what is missing.
  fileprivate var isStepUp: Bool { reason == .insufficientScope || reason == .insufficientUserAuthentication }
}
