// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Testing

@Suite struct SeedServiceAccountTests {
  private func seed(_ accounts: String) throws -> Sandbox.Seed {
    let json = #"{"users":[{"email":"a@example.com"}],"serviceAccounts":[\#(accounts)]}"#
    return try Sandbox.Seed(json: Array(json.utf8))
  }

  @Test func accountIsAsTheSeedSays() throws {
    let seed = try seed(
      #"{"email":"R@p.example","delegators":["A@example.com"],"tokenCreators":["r@p.example"],"attached":true},{"email":"s@p.example"}"#
    )
    var robot = GoogleCloudSandbox.ServiceAccount(email: "r@p.example")
    robot.delegators = ["a@example.com"]
    robot.tokenCreators = ["r@p.example"]
    #expect(seed.serviceAccounts == [robot, GoogleCloudSandbox.ServiceAccount(email: "s@p.example")])
    #expect(seed.attachedAccount == "r@p.example")
    var configuration = Sandbox.Configuration()
    configuration.use(seed)
    #expect(configuration.googleCloud?.configuration.serviceAccounts == seed.serviceAccounts)
    #expect(configuration.googleCloud?.configuration.attachedAccount == "r@p.example")
  }

  /// The token of an attached account expires by the sandbox's clock, whichever clock the servers that issue it began with.
  @Test(arguments: [false, true]) func tokenExpiresByTheClockOfTheSandbox(isSeeded: Bool) async throws {
    let clock = ManualClock()
    let seed = try seed(#"{"email":"r@p.example","attached":true}"#)
    var configuration = Sandbox.Configuration()
    if isSeeded {
      configuration.use(seed)
    } else {
      var cloud = GoogleCloudSandbox.Configuration(serviceAccounts: seed.serviceAccounts)
      cloud.attachedAccount = seed.attachedAccount
      configuration.googleCloud = GoogleCloudSandbox(configuration: cloud)
    }
    let transport = Sandbox(clock: clock, configuration: configuration).transport()
    var account = URL(
      literal: "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token")
    account.append(queryItems: [URLQueryItem(name: "scopes", value: "https://www.googleapis.com/auth/calendar")])
    let response = try await transport.send(HTTPRequest(.get, account, fields: ["Metadata-Flavor": "Google"]))
    let token = try #require(try JSONValue(json: response.body)["access_token"]?.string)
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
    var configuration = Sandbox.Configuration()
    configuration.googleCloud = GoogleCloudSandbox()
    configuration.use(try seed(""))
    #expect(configuration.googleCloud != nil)
  }

  @Test(arguments: [
    (#"{"email":"nobody"}"#, "serviceAccounts[0].email must be an e-mail address"),
    (#"{"email":"../x@p.example"}"#, "serviceAccounts[0].email must be an e-mail address"),
    (#"{"email":"r@p.example","owner":"x"}"#, "serviceAccounts[0].owner is unknown"),
    (#"{"email":"r@p.example","keys":{"keys":[]}}"#, "serviceAccounts[0].keys must be a JWK set"),
    (
      #"{"email":"r@p.example","delegators":["b@example.com"]}"#,
      "delegator of serviceAccounts[0] is not one of the users"
    ),
    (#"{"email":"a@example.com"}"#, "have the same e-mail address"),
    (#"{"email":"r@p.example","attached":true},{"email":"s@p.example","attached":true}"#, "more than one"),
  ])
  func mistakesAreNamed(_ accounts: String, _ problem: String) throws {
    let error = try #require(throws: SandboxError.self) { try seed(accounts) }
    #expect(error.message.contains(problem), "\(error)")
  }
}
