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
    let configuration = Sandbox.Configuration { $0.use(seed) }
    #expect(configuration.googleCloud?.serviceAccounts == seed.serviceAccounts)
    #expect(configuration.googleCloud?.attachedAccount == "r@p.example")
  }

  @Test func tokenExpiresByTheClockOfItsSandboxAndIsUnknownToAnother() async throws {
    let clock = ManualClock()
    let seed = try seed(#"{"email":"r@p.example","attached":true}"#)
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
    let seed = try seed("")
    let configuration = Sandbox.Configuration {
      $0.googleCloud = .init()
      $0.use(seed)
    }
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
