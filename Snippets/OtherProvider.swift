// SPDX-License-Identifier: Apache-2.0

// Sign in to another provider, and read a member with city, country, photo and topics by a typed call.
//
// It replaces a web view for one provider, a member number extracted from its page, an API key in the URL, and a dictionary read
// key by key. A provider is a value, so the code works for any provider.
//
// It runs unchanged, with the sandbox's Meetup-like provider in this process. For Meetup, use `Provider.meetup`,
// `DefaultTransport().retrying()`, `FileTokenStorage()` and `LoopbackUserAgent.systemBrowser`. Meetup's clients have a secret,
// which does not belong in an app. For a provider whose clients need no secret, an app uses `KeychainTokenStorage()` and
// `WebAuthenticationUserAgent`: Examples/Snippets/OtherProviderOnAPhone.swift.
import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import TokenStore

struct Member: Decodable {
  struct Photo: Decodable {
    let link: URL
    enum CodingKeys: String, CodingKey { case link = "photo_link" }
  }
  struct Topic: Decodable { let id: Int, name: String, urlkey: String }
  let id: Int, name: String, city: String, country: String
  let state: String?  // only in some countries, such as the United States
  let photo: Photo?
  let topics: [Topic]
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
let member: Member = try await account.transport(for: api).call(.get, api.appending(path: "2/member/self"))
print(member.id, member.name, member.city, member.state ?? "", member.country, member.topics.map(\.name))
