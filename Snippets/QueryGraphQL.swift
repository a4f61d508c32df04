// SPDX-License-Identifier: Apache-2.0

// Query a GraphQL API, such as Meetup's, with a typed response and typed errors.
//
// It runs unchanged, with the sandbox's Meetup-like provider. For Meetup, use the URL https://api.meetup.com/gql-ext and
// `Provider.meetup`.
import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import TokenStore

struct Query: Encodable { let query: String }

struct QueryResponse<Value: Decodable>: Decodable {
  struct Fault: Decodable { let message: String }
  let data: Value?
  let errors: [Fault]?
}

struct Viewer: Decodable {
  struct Member: Decodable {
    struct Photo: Decodable { let standardUrl: URL }
    let id: String, name: String, city: String, country: String
    let memberPhoto: Photo?
  }
  let me: Member
}

let sandbox = Sandbox()
let client = try OAuthClient(
  provider: sandbox.meetupProvider(),
  registration: ClientRegistration(
    clientID: "almanac-meetup", authentication: .clientSecretPost(Secret("sandbox-secret"))),
  transport: sandbox.transport())
let account = OAuthAccount(
  client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["basic"], userAgent: sandbox.approvingUser)
try await account.authorize()

let api = sandbox.meetupURL()
let query = Query(query: "query { me: self { id name city country memberPhoto { standardUrl } } }")
let response: QueryResponse<Viewer> = try await account.transport(for: api).call(
  .post, api.appending(path: "gql-ext"), body: .json(query))
// A GraphQL service reports errors in the body, with status 200.
for fault in response.errors ?? [] { print("refused:", fault.message) }
if let member = response.data?.me { print(member.id, member.name, member.city, member.country) }
