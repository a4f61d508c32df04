// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import HTTPTransport
import OAuthCore

/// A server that issues codes over HTTP, by `POST` with the session of the signed-in user.
struct HTTPLinkServer: LinkServer {
  /// The user's sign-in to the app, at the app's server.
  let account: OAuthAccount
  /// The URL that issues codes.
  ///
  /// The session is sent to no other origin.
  let endpoint: URL

  private struct Order: Encodable {
    let clientID: String
    let scopes: [Scope]
    let redirectURI: String
  }

  private struct Receipt: Decodable { let code: String }

  var isSignedIn: Bool {
    get async { (try? await account.storedToken) != nil }
  }

  /// Shows the sign-in page in every case, because the server has already refused a stored session.
  func signIn() async throws { try await account.signIn() }

  func authorizationCode(for request: AppFlipRequest) async throws -> String {
    let order = Order(
      clientID: request.clientID, scopes: request.scopes, redirectURI: request.redirect.uri)
    do {
      let receipt: Receipt = try await account.transport(for: endpoint).call(.post, endpoint, body: .json(order))
      return receipt.code
    } catch let error as OAuthError where error.code == .signInRequired {
      throw LinkServerError.signInRequired
    } catch let error as CallError where error.response?.status == 401 {
      throw LinkServerError.signInRequired
    } catch let error as CallError where error.response?.status == 403 {
      throw LinkServerError.accountDisabled
    }
  }
}
