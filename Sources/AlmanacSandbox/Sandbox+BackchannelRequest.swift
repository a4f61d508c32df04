// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

extension Sandbox {
  /// A back-channel authentication request that waits for its user
  /// ([CIBA Core § 7](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#auth_request)).
  public struct BackchannelRequest: Sendable, Hashable {
    /// The identifier that the user's device has for the request; the client has another.
    public let id: String
    /// The identifier of the client.
    public let clientID: String
    /// The e-mail address of the user.
    public let user: String
    /// The requested scopes.
    public let scopes: [String]
    /// The text that the client's device and the user's device both show.
    public let bindingMessage: String?
  }

  /// The back-channel authentication requests that wait for their users.
  public var backchannelRequests: [BackchannelRequest] {
    let now = clock.now
    return state.withLock { $0.issued[.google]?.backchannel.open(now: now) ?? [] }.map {
      BackchannelRequest(
        id: $0.userCode, clientID: $0.client.id, user: $0.user ?? configuration.user.email, scopes: $0.scopes,
        bindingMessage: $0.bindingMessage)
    }
  }

  /// Decides about a back-channel authentication request, as its user would on the user's device.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - deny: Whether the user refuses.
  ///   - scopes: The scopes that the user allows. Defaults to all that are requested; `openid` is always allowed.
  /// - Throws: ``SandboxError`` if the request is not known, was decided or has expired.
  public func approve(
    _ request: BackchannelRequest, deny: Bool = false, granting scopes: Set<String>? = nil
  ) throws {
    let server = authorizationServer(for: Self.inProcessURL)
    let decision = deny ? Decision.deny : .allow(scopes.map { $0.union(["openid"]) })
    guard decide(userCode: request.id, decision, in: \.backchannel, at: server) else {
      throw SandboxError("The back-channel request is not known, was decided, or has expired. Send it again.")
    }
  }
}
