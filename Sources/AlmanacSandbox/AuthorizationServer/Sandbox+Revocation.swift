// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

extension Sandbox {
  /// The revocation endpoint ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  func revocationAnswer(to request: HTTPRequest, at server: AuthorizationServer) -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try checkedForm(of: request)
      let client = try authenticatedClient(request, form, at: server)
      guard let token = form["token"] else { throw .invalidRequest("token is missing.") }
      if state.withLock({ $0.issued[server.realm]?.grants.revoke(token, clientID: client.id) }) == true {
        record(.tokenRevoked, client: client.id)
      }
      // § 2.2: a token that is not known is as good as revoked.
      return HTTPResponse(status: 200, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    } catch {
      return .oauthError(error)
    }
  }
}
