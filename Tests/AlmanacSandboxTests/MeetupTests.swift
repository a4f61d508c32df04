// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping

/// The sandbox's second provider.
@Suite struct MeetupTests {
  private static let credentials: KeyValuePairs<String, String?> = [
    "client_id": "almanac-meetup", "client_secret": "sandbox-secret",
  ]

  private func code(_ harness: SandboxHarness, _ changes: KeyValuePairs<String, String?> = [:]) throws -> String {
    var fields: FormFields = [
      "response_type": "code", "client_id": "almanac-meetup", "redirect_uri": SandboxHarness.redirectURI, "state": "s",
      "code_challenge": SandboxHarness.challenge, "code_challenge_method": "S256",
    ]
    for (name, value) in changes { fields[name] = value }
    let url = try #require(
      URL(string: "\(SandboxHarness.base)/meetup/oauth2/authorize?\(FormEncoding.form.encode(fields))"))
    let answer = harness.parameters(of: try harness.sandbox.approve(url))
    #expect(answer["state"] == "s" && answer["iss"] == nil)
    return try #require(answer["code"])
  }

  private func token(
    _ harness: SandboxHarness, _ code: String, _ changes: KeyValuePairs<String, String?> = Self.credentials
  )
    async throws -> Answer
  {
    var form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": SandboxHarness.redirectURI,
      "code_verifier": SandboxHarness.verifier,
    ]
    for (name, value) in changes { form[name] = value }
    return try await harness.post("/meetup/oauth2/access", form)
  }

  @Test func theTokenIsBearerInLowerCaseWithoutIDToken() async throws {
    let harness = try SandboxHarness()
    let answer = try await token(harness, try code(harness))
    #expect(answer.status == 200)
    #expect(answer["token_type"] == "bearer")
    #expect(Set(answer.object.keys) == ["access_token", "token_type", "expires_in", "refresh_token"])
    let refreshed = try await harness.post(
      "/meetup/oauth2/access",
      [
        "grant_type": "refresh_token", "refresh_token": try #require(answer["refresh_token"]),
        "client_id": "almanac-meetup", "client_secret": "sandbox-secret",
      ])
    #expect(refreshed.status == 200 && refreshed["token_type"] == "bearer")
  }

  @Test func theSecretIsAFormParameter() async throws {
    let harness = try SandboxHarness()
    #expect(try await token(harness, try code(harness), ["client_id": "almanac-meetup"]).status == 401)
    let basic = "Basic " + Data("almanac-meetup:sandbox-secret".utf8).base64EncodedString()
    let answer = try await harness.post(
      "/meetup/oauth2/access",
      [
        "grant_type": "authorization_code", "code": try code(harness), "redirect_uri": SandboxHarness.redirectURI,
        "code_verifier": SandboxHarness.verifier,
      ], fields: ["Authorization": basic])
    #expect(answer["error"] == "invalid_client")
  }

  @Test func theMemberHasCityCountryPhotoAndTopics() async throws {
    let harness = try SandboxHarness()
    let access = try #require(try await token(harness, try code(harness))["access_token"])
    let member = try await harness.get("/meetup/2/member/self", token: access)
    #expect(member.status == 200)
    #expect(
      member["city"] == "Madrid" && member["state"] == "M" && member["country"] == "es"
        && member["name"] == "Sample Person")
    #expect(
      (member.object["photo"] as? [String: Any])?["photo_link"] as? String == SandboxHarness.base + "/picture.png")
    let topics = try #require(member.object["topics"] as? [[String: Any]])
    #expect(
      topics.count == 3 && topics.allSatisfy { $0["id"] is Int && $0["name"] is String && $0["urlkey"] is String })
    #expect(harness.sandbox.requestCount(.member) == 1)
    #expect(try await harness.get("/meetup/2/member/self").status == 401)
  }

  @Test(arguments: [
    ("{ self { name } }", #"{"data":{"self":{"name":"Sample Person"}}}"#),
    ("query Me { self { id, home: city } }", #"{"data":{"self":{"home":"Madrid","id":"1001"}}}"#),
    ("{ self { memberPhoto { id } } }", #"{"data":{"self":{"memberPhoto":{"id":"2001"}}}}"#),
    ("{ self { age } }", #"{"errors":[{"message":"Cannot query field \"age\" on type \"self\"."}]}"#),
    ("{ self }", #"{"errors":[{"message":"Field \"self\" must have a selection of subfields."}]}"#),
    ("{ self { id { x } } }", #"{"errors":[{"message":"Field \"id\" must not have a selection."}]}"#),
    ("{ self { id }", #"{"errors":[{"message":"Syntax Error: Expected Name, found <EOF>."}]}"#),
    ("{ self { } }", #"{"errors":[{"message":"Syntax Error: Expected Name, found \"}\"."}]}"#),
    ("{ self { id } } x", #"{"errors":[{"message":"Syntax Error: Expected <EOF>, found \"x\"."}]}"#),
    (String(repeating: "{a", count: 40), #"{"errors":[{"message":"The query is nested too deeply."}]}"#),
  ])
  func aGraphQLQuerySelectsWhatTheResponseHas(_ query: String, _ expected: String) async throws {
    let harness = try SandboxHarness()
    let access = try #require(try await token(harness, try code(harness))["access_token"])
    let response = try await graphQL(harness, try JSONEncoder().encode(["query": query]), token: access)
    #expect(response.status == 200)
    #expect(try JSONValue(json: response.response.body) == JSONValue(json: Array(expected.utf8)))
  }

  @Test func graphQLNeedsATokenAndAQuery() async throws {
    let harness = try SandboxHarness()
    let access = try #require(try await token(harness, try code(harness))["access_token"])
    #expect(try await graphQL(harness, Data(#"{"query":"{ self { id } }"}"#.utf8), token: "guess").status == 401)
    #expect(try await graphQL(harness, Data("query".utf8), token: access).status == 400)
    #expect(try await harness.get("/meetup/gql-ext", token: access).status == 405)
  }

  private func graphQL(_ harness: SandboxHarness, _ body: Data, token: String) async throws -> Answer {
    let url = try #require(URL(string: SandboxHarness.base + "/meetup/gql-ext"))
    let fields: HTTPFields = ["Content-Type": "application/json", "Authorization": "Bearer \(token)"]
    return try await harness.send(HTTPRequest(.post, url, fields: fields, body: Array(body)))
  }

  @Test func whatOneProviderIssuedIsNothingToTheOther() async throws {
    let harness = try SandboxHarness()
    let mine = try #require(try await token(harness, try code(harness))["access_token"])
    #expect(try await harness.get("/calendar/v3/colors", token: mine).status == 401)
    #expect(try await harness.get("/userinfo", token: mine).status == 401)
    #expect(try await harness.get("/meetup/2/member/self", token: try await harness.accessToken()).status == 401)
    // A client that both know cannot carry a code across either.
    let both = Sandbox.Client.meetup
    let shared = try SandboxHarness {
      $0.clients = [both]
      $0.meetupClients = [both]
    }
    let form: FormFields = [
      "grant_type": "authorization_code", "code": try code(shared), "redirect_uri": SandboxHarness.redirectURI,
      "code_verifier": SandboxHarness.verifier, "client_id": both.id, "client_secret": "sandbox-secret",
    ]
    #expect(try await shared.post("/token", form)["error"] == "invalid_grant")
  }

  @Test func consentIsAnsweredAtItsOwnAddress() async throws {
    let harness = try SandboxHarness()
    let query =
      "response_type=code&client_id=almanac-meetup&redirect_uri=http%3A%2F%2F127.0.0.1%3A49152%2Fcallback&state=s"
      + "&code_challenge=\(SandboxHarness.challenge)&code_challenge_method=S256"
    let page = try await harness.get("/meetup/oauth2/authorize?\(query)")
    #expect(page.text.contains(#"action="/meetup/oauth2/authorize/consent""#))
    #expect(page.text.contains("See your city, country, photo and topics"))
    let id = try #require(page.text.firstMatch(of: /name="consent" value="([^"]+)"/)?.1)
    let answer = try await harness.post(
      "/meetup/oauth2/authorize/consent", ["consent": String(id), "decision": "allow", "scope:basic": "on"])
    #expect(answer.status == 303)
    #expect(answer.response.fields["Location"]?.contains("code=") == true)
  }

  @Test func theProviderValueFitsTheServer() throws {
    let sandbox = try SandboxHarness().sandbox
    let provider = sandbox.meetupProvider()
    #expect(provider.server.authorizationEndpoint?.absoluteString == "https://sandbox.invalid/meetup/oauth2/authorize")
    #expect(provider.server.tokenEndpoint.absoluteString == "https://sandbox.invalid/meetup/oauth2/access")
    #expect(sandbox.meetupURL().absoluteString == "https://sandbox.invalid/meetup/")
  }
}
