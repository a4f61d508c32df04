// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

extension AuthorizationServer {
  /// Handles a request to the revocation endpoint ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  func revocationResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    do throws(OAuthFault) {
      let (token, client) =
        if let found = tokenAlone(in: request, at: server) { found } else { try tokenOfClient(in: request, at: server) }
      if state.withLock({ $0.issued[server.realm]?.grants.revoke(token, clientID: client.id) }) == true {
        record(.tokenRevoked, client: client.id)
      }
      // § 2.2: revoking an unknown token succeeds.
      return HTTPResponse(status: 200, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    } catch {
      return .oauthError(error)
    }
  }

  private func tokenOfClient(
    in request: HTTPRequest, at server: ServerProfile
  ) throws(OAuthFault) -> (String, Client) {
    let form = try checkedForm(of: request)
    let client = try authenticatedClient(request, form, at: server)
    guard let token = form["token"] else { throw .invalidRequest("token is missing.") }
    return (token, client)
  }

  /// Returns the token of a request without client credentials, if the token's client may revoke tokens without authentication.
  private func tokenAlone(in request: HTTPRequest, at server: ServerProfile) -> (String, Client)? {
    let query = request.queryParameters
    guard request.fields["Authorization"] == nil, let parameters = query.isEmpty ? request.form : query,
      parameters["client_id"] == nil, let token = parameters["token"],
      let id = state.withLock({ $0.issued[server.realm]?.grants.clientID(ofToken: token) }),
      let client = server.clients.first(where: { $0.id == id }), client.googleBehaviors.contains(.revocationByToken)
    else { return nil }
    return (token, client)
  }
}
