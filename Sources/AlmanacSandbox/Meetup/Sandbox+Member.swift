// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  /// `member/self` of the Meetup-like provider: the user's id, city, state, country, photo and topics.
  func member(for request: HTTPRequest) -> HTTPResponse {
    switch bearer(of: request, from: .meetup) {
    case .refused(let challenge, let error):
      return .json(
        ["code": "not_authorized", "problem": "The request needs an access token that is good."],
        status: error == "invalid_request" ? 400 : 401, fields: [("WWW-Authenticate", challenge)])
    case .grant(let grant):
      record(.apiCalled, client: grant.clientID, "2/member/self")
      let user = configuration.user
      let photo = user.picture ?? issuer(for: request.url) + Path.picture
      return .json([
        "id": 1001, "name": .string(user.name), "city": "Madrid", "state": "M", "country": "es",
        "lang": .string(user.locale),
        "photo": ["photo_id": 2001, "photo_link": .string(photo)],
        "topics": [
          ["id": 3001, "name": "Swift", "urlkey": "swift"],
          ["id": 3002, "name": "Language & Culture", "urlkey": "language-culture"],
          ["id": 3003, "name": "Senderismo", "urlkey": "senderismo"],
        ],
      ])
    }
  }
}
