// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthJOSE
import Testing
import TokenStore

@Suite struct SeedTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let keys =
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#

  private static func seed(accounts: String) throws -> Sandbox.Seed {
    try Sandbox.Seed(json: Array(#"{"users":[{"email":"a@example.com"}],"serviceAccounts":[\#(accounts)]}"#.utf8))
  }

  // MARK: The whole

  @Test func aSeedReplacesTheSamples() async throws {
    let json = #"""
      {"users":[{"email":"Ana@example.com","givenName":"Ana","timeZone":"Asia/Tokyo"},{"email":"ben@example.com"}],
       "clients":[{"id":"mine","secret":"s","redirectURIs":["http://127.0.0.1/callback"]}],
       "groups":[{"email":"Team@example.com","members":["ben@example.com"]},{"email":"empty@example.com"}],
       "calendars":[
         {"owner":"ana@example.com","summary":"Work","timeZone":"Europe/Madrid",
          "acl":[{"scope":{"type":"group","value":"team@example.com"},"role":"reader"}],
          "events":[{"id":"abcde","summary":"Lunch","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}]},
         {"owner":"ben@example.com","primary":true,"events":[
           {"iCalUID":"a@b","summary":"Imported","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}]}]}
      """#
    let harness = try SandboxHarness {
      $0.use(try Sandbox.Seed(json: Array(json.utf8)))
      #expect($0.groups.map(\.email) == ["team@example.com", "empty@example.com"])
    }
    let ana = try await harness.token(of: "ana@example.com")
    let list = try await harness.call(.get, "users/me/calendarList", token: ana).items
    #expect(list.map { $0["summary"] as? String } == ["ana@example.com", "Work"])
    #expect(list.first?["timeZone"] as? String == "Asia/Tokyo")
    let id = try #require(list.last?["id"] as? String)
    let work = "calendars/\(try #require(FormEncoding.pathSegment(id)))"
    let ben = try await harness.token(of: "ben@example.com")
    #expect(try await harness.call(.get, work + "/events/abcde", token: ben)["summary"] == "Lunch")
    let imported = try await harness.call(.get, "calendars/primary/events", token: ben).items
    #expect(imported.map { $0["summary"] as? String } == ["Imported"])
    // The identifier of an imported event is made of its iCalendar identifier.
    #expect(imported.map { $0["id"] as? String } == ["_c5064"])
    #expect(harness.sandbox.configuration.clients.contains { $0.id == "mine" })
  }

  private static let mistakes = [
    ("[]", "The seed is not a JSON object."), (#"{"users":[],"users":[]}"#, "has a duplicate member"),
    (#"{"users":[]}"#, "no users"), (#"{"users":{}}"#, "users must be an array"),
    (#"{"users":[{"name":"x"}]}"#, "users[0].email is missing"), (#"{"users":[7]}"#, "users[0] must be an object"),
    (#"{"users":[{"email":"a@b"},{"email":"c@d","name":"x"}]}"#, "users[1].name is unknown"),
    (#"{"users":[{"email":"a@b"},{"email":"A@b"}]}"#, "same e-mail address"),
    (#"{"users":[{"email":"a@b","timeZone":"Mars"}]}"#, "users[0].timeZone is unknown"),
  ]

  /// Members beside a user whose address is `a@b`.
  private static let mistakesBesideAUser = [
    (#""groups":[{"email":"A@b"}]"#, "same e-mail address"),
    (#""groups":[{"email":"team"}]"#, "groups[0].email must be an e-mail address"),
    (#""groups":[{"email":"c@d","members":[{}]}]"#, "groups[0].members must be an array"),
    (#""odd":1"#, "odd is unknown"),
    (#""clients":[{}]"#, "clients[0].id is missing"),
    (#""clients":[{"id":"x","redirectURIs":[1]}]"#, "clients[0].redirectURIs must be an array of strings"),
    (#""calendars":[{"summary":"x","primary":1}]"#, "calendars[0].primary must be true"),
    (#""calendars":[{"summary":"x","owner":"c@d"}]"#, "calendars[0].owner is not one of"),
    (#""calendars":[{}]"#, "calendars[0] is invalid: Missing summary."),
    (#""calendars":[{"summary":"x","acl":[{"role":"reader"}]}]"#, "calendars[0].acl[0] is invalid: Missing scope."),
    (
      #""calendars":[{"summary":"x","events":[{"summary":"y"}]}]"#,
      "calendars[0].events[0] is invalid: Missing start time."
    ),
  ]

  private static let mistakesOfAClient = [
    (#""authentication":"odd""#, "authentication is not a supported method"),
    (#""authentication":"client_secret_post""#, "authentication requires secret and no other credential"),
    (#""secret":"s","authentication":"private_key_jwt""#, "authentication requires jwks and no other credential"),
    (#""secret":"s","authentication":"none""#, "authentication requires a client without credentials"),
    (#""secret":"s","certificate":"AQID""#, "authentication is missing"),
    (#""secret":"s","authentication":"client_secret_jwt""#, "secret must have at least 32 bytes"),
    (#""jwks":{"keys":[]}"#, "jwks must be a JWK set"), (#""certificate":"?""#, "certificate must be DER bytes"),
    (#""requiresSignedRequests":true"#, "requestObjectKeys is missing"),
  ]

  private static let mistakesOfAccounts = [
    (#"{"email":"nobody"}"#, "serviceAccounts[0].email must be an e-mail address"),
    (#"{"email":"../x@p.example"}"#, "serviceAccounts[0].email must be an e-mail address"),
    (#"{"email":"r@p.example","owner":"x"}"#, "serviceAccounts[0].owner is unknown"),
    (#"{"email":"r@p.example","keys":{"keys":[]}}"#, "serviceAccounts[0].keys must be a JWK set"),
    (#"{"email":"r@p.example","delegators":["b@c"]}"#, "delegator of serviceAccounts[0] is not one of the users"),
    (#"{"email":"a@b"}"#, "have the same e-mail address"),
    (#"{"email":"r@p.example","attached":true},{"email":"s@p.example","attached":true}"#, "more than one"),
  ]

  private static func besideAUser(_ rows: [(String, String)]) -> [(String, String)] {
    rows.map { (#"{"users":[{"email":"a@b"}],\#($0)}"#, $1) }
  }

  private static let allMistakes: [(String, String)] = [
    mistakes, besideAUser(mistakesBesideAUser),
    besideAUser(mistakesOfAClient.map { (#""clients":[{"id":"c",\#($0)}]"#, "clients[0].\($1)") }),
    besideAUser(mistakesOfAccounts.map { (#""serviceAccounts":[\#($0)]"#, $1) }),
  ].flatMap { $0 }

  @Test(arguments: allMistakes)
  func aSeedThatIsWrongSaysWhere(json: String, place: String) throws {
    let error = try #require(throws: SandboxError.self) { try Sandbox.Seed(json: Array(json.utf8)) }
    #expect(error.message.contains(place), "\(error)")
  }

  /// The example of the documentation has every member, and is a seed.
  @Test func exampleOfTheDocumentationIsASeed() throws {
    let page = try String(contentsOf: Self.root.appending(path: "Documentation/Testing.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## The seed").last)
    let text = try #require(
      section.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    let seed = try Sandbox.Seed(json: Array(text.utf8))
    #expect(seed.clients.map(\.id) == ["web-app", "desktop-app", "service"] && seed.users.count == 2)
    for name in try Self.memberNames() { #expect(section.contains("`\(name)`"), "\(name) is not explained") }
  }

  /// The names of members that the sources read.
  private static func memberNames() throws -> Set<String> {
    let folder = root.appending(path: "Sources/AlmanacSandbox/Configuration")
    var names: Set<String> = []
    for file in ["Sandbox+Seed.swift", "Sandbox+SeedClient.swift", "Sandbox+User.swift"] {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /members\.[a-zA-Z]+\("([a-zA-Z]+)"/) where match.1 != "fault" {
        names.insert(String(match.1))
      }
    }
    #expect(names.count > 20)
    return names
  }

  // MARK: Clients

  @Test func aClientOfASeedIsTreatedAsGoogleTreatsIt() throws {
    let json = #"{"users":[{"email":"a@b"}],"clients":[{"id":"web","redirectURIs":["https://a/b"]},{"id":"desktop"}]}"#
    let clients = try Sandbox.Seed(json: Array(json.utf8)).clients
    #expect(clients.map { $0.googleBehaviors.contains(.anyLoopbackRedirect) } == [false, true])
    #expect(clients.allSatisfy { $0.googleBehaviors.isSuperset(of: [.optionalPKCE, .longScopeNames]) })
  }

  private func client(_ members: String) throws -> Sandbox.Client {
    let json = #"{"users":[{"email":"a@example.com"}],"clients":[{"id":"c",\#(members)}]}"#
    return try #require(try Sandbox.Seed(json: Array(json.utf8)).clients.first)
  }

  @Test func methodIsAsTheSeedSays() throws {
    let long = "0123456789abcdef0123456789abcdef"
    let keys = try JWKSet(json: Array(Self.keys.utf8))
    let expected: [(String, Sandbox.Client.Authentication)] = [
      (#""name":"n""#, .none), (#""authentication":"none""#, .none), (#""secret":"s""#, .clientSecret(Secret("s"))),
      (#""secret":"s","authentication":"client_secret_basic""#, .clientSecretBasic(Secret("s"))),
      (#""secret":"s","authentication":"client_secret_post""#, .clientSecretPost(Secret("s"))),
      (#""secret":"\#(long)","authentication":"client_secret_jwt""#, .clientSecretJWT(Secret(long))),
      (#""jwks":\#(Self.keys)"#, .privateKeyJWT(keys)),
      (#""jwks":\#(Self.keys),"authentication":"private_key_jwt""#, .privateKeyJWT(keys)),
      (#""jwks":\#(Self.keys),"requiresSignedRequests":true"#, .privateKeyJWT(keys)),
      (#""certificate":"AQID","authentication":"tls_client_auth""#, .tlsClientCertificate([1, 2, 3])),
    ]
    for (members, authentication) in expected { #expect(try client(members).authentication == authentication) }
  }

  // MARK: Service accounts

  @Test func accountIsAsTheSeedSays() throws {
    let seed = try Self.seed(
      accounts:
        #"{"email":"R@p.example","delegators":["A@example.com"],"tokenCreators":["r@p.example"],"attached":true},{"email":"s@p.example"}"#
    )
    var robot = GoogleCloudSandbox.ServiceAccount(email: "r@p.example")
    robot.delegators = ["a@example.com"]
    robot.tokenCreators = ["r@p.example"]
    #expect(seed.serviceAccounts == [robot, GoogleCloudSandbox.ServiceAccount(email: "s@p.example")])
    #expect(seed.attachedAccount == "r@p.example")
    let configuration = Sandbox.Configuration { $0.use(seed) }
    #expect(configuration.googleCloud?.serviceAccounts == seed.serviceAccounts)
    #expect(configuration.googleCloud?.attachedAccount == "r@p.example")
  }

  @Test func tokenExpiresByTheClockOfItsSandboxAndIsUnknownToAnother() async throws {
    let clock = ManualClock()
    let seed = try Self.seed(accounts: #"{"email":"r@p.example","attached":true}"#)
    let configuration = Sandbox.Configuration { $0.use(seed) }
    let (sandbox, other) = (
      Sandbox(clock: clock, configuration: configuration), Sandbox(clock: clock, configuration: configuration)
    )
    let transport = sandbox.transport()
    var account = URL(
      literal: "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token")
    account.append(queryItems: [URLQueryItem(name: "scopes", value: "https://www.googleapis.com/auth/calendar")])
    let response = try await transport.send(HTTPRequest(.get, account, fields: ["Metadata-Flavor": "Google"]))
    let token = try #require(try JSONValue(json: response.body)["access_token"]?.string)
    #expect(sandbox.googleCloud?.identity(ofAccessToken: token)?.principal == "r@p.example")
    #expect(other.googleCloud?.identity(ofAccessToken: token) == nil)
    func status() async throws -> Int {
      let url = Sandbox.inProcessURL.appending(path: "calendar/v3/calendars/primary")
      return try await transport.send(HTTPRequest(.get, url, fields: ["Authorization": "Bearer \(token)"])).status
    }
    clock.advance(by: .seconds(3599))
    #expect(try await status() == 200)
    clock.advance(by: .seconds(2))
    #expect(try await status() == 401)
  }

  @Test func seedWithoutAccountsLeavesTheCloudAlone() throws {
    let seed = try Self.seed(accounts: "")
    let configuration = Sandbox.Configuration {
      $0.googleCloud = .init()
      $0.use(seed)
    }
    #expect(configuration.googleCloud != nil)
  }
}
