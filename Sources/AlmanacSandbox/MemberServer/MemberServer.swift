// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation

/// The API of the Meetup-like provider: a member's profile, by Meetup's former REST API and its current GraphQL API.
struct MemberServer: Sendable {
  let configuration: Sandbox.Configuration
  let log: RequestLog
  /// The server that checks access tokens.
  let authorization: AuthorizationServer
}

extension MemberServer {
  /// Responds to a GraphQL query of `self`, the signed-in user.
  ///
  /// Like other GraphQL services, it rejects an invalid query with status 200 and `errors` in the body.
  func graphQLResponse(to request: HTTPRequest) -> HTTPResponse {
    switch authorization.bearer(of: request, from: .meetup) {
    case .refused(let challenge, let error):
      return .json(
        ["errors": [["message": "The request requires a valid access token."]]],
        status: error == "invalid_request" ? 400 : 401, fields: [("WWW-Authenticate", challenge)])
    case .grant(let grant):
      guard let query = graphQLQuery(in: request) else {
        return .json(["errors": [["message": "The body is not JSON with a member \"query\"."]]], status: 400)
      }
      log.record(.apiCalled, client: grant.clientID, "gql-ext")
      do throws(GraphQLSelection.Fault) {
        let root: JSONValue = ["self": graphQLMember(issuer: configuration.effectiveIssuer(for: request.url))]
        let data = try GraphQLSelection.value(of: root, type: "Query", selecting: GraphQLSelection.query(query))
        return .json(["data": data])
      } catch {
        return .json(["errors": [["message": .string(error.message)]]])
      }
    }
  }

  private func graphQLQuery(in request: HTTPRequest) -> String? {
    guard let body = try? JSONValue(json: request.body ?? []), case .string(let query)? = body["query"] else {
      return nil
    }
    return query
  }

  private func graphQLMember(issuer: String) -> JSONValue {
    let user = configuration.user
    return [
      "id": "1001", "name": .string(user.name), "email": .string(user.email), "city": "Madrid", "state": "M",
      "country": "es",
      "memberPhoto": ["id": "2001", "standardUrl": .string(user.picture ?? issuer + Path.picture)],
    ]
  }
}

extension MemberServer {
  /// Responds to a REST request for `member/self`: the user's id, city, state, country, photo and topics.
  func member(for request: HTTPRequest) -> HTTPResponse {
    switch authorization.bearer(of: request, from: .meetup) {
    case .refused(let challenge, let error):
      return .json(
        ["code": "not_authorized", "problem": "The request requires a valid access token."],
        status: error == "invalid_request" ? 400 : 401, fields: [("WWW-Authenticate", challenge)])
    case .grant(let grant):
      log.record(.apiCalled, client: grant.clientID, "2/member/self")
      let user = configuration.user
      let photo = user.picture ?? configuration.effectiveIssuer(for: request.url) + Path.picture
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
