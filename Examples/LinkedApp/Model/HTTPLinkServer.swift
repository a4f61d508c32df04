// SPDX-License-Identifier: Apache-2.0

import AppFlip
import HTTPTransport

/// The server over HTTP: `POST`, with the user's session.
struct HTTPLinkServer: LinkServer {
  /// Adds the session of the signed-in user to each request.
  let transport: any Transport
  /// Where codes are issued.
  let endpoint: String

  private struct Order: Encodable {
    let clientID: String
    let scopes: [String]
    let redirectURI: String
  }

  private struct Receipt: Decodable { let code: String }

  func authorizationCode(for request: AppFlipRequest) async throws -> String {
    let order = Order(
      clientID: request.clientID, scopes: request.scopes, redirectURI: request.redirect.uri)
    do {
      let receipt: Receipt = try await transport.call(.post, endpoint, body: .json(order))
      return receipt.code
    } catch let error as CallError where error.response?.status == 401 {
      throw LinkServerError.signInRequired
    } catch let error as CallError where error.response?.status == 403 {
      throw LinkServerError.accountDisabled
    }
  }
}
