// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
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
    let clock = ManualClock()
    var configuration = Sandbox.Configuration()
    configuration.use(seed, clock: clock)
    #expect(configuration.googleCloud?.configuration.serviceAccounts == seed.serviceAccounts)
    #expect(configuration.googleCloud?.configuration.attachedAccount == "r@p.example")
  }

  @Test func seedWithoutAccountsLeavesTheCloudAlone() throws {
    var configuration = Sandbox.Configuration()
    configuration.googleCloud = GoogleCloudSandbox()
    configuration.use(try seed(""))
    #expect(configuration.googleCloud != nil)
  }

  @Test(arguments: [
    (#"{"email":"nobody"}"#, "serviceAccounts[0].email has to be an e-mail address"),
    (#"{"email":"../x@p.example"}"#, "serviceAccounts[0].email has to be an e-mail address"),
    (#"{"email":"r@p.example","owner":"x"}"#, "serviceAccounts[0].owner is not known"),
    (#"{"email":"r@p.example","keys":{"keys":[]}}"#, "serviceAccounts[0].keys has to be a JWK set"),
    (
      #"{"email":"r@p.example","delegators":["b@example.com"]}"#,
      "delegator of serviceAccounts[0] is not among the users"
    ),
    (#"{"email":"a@example.com"}"#, "have the same e-mail address"),
    (#"{"email":"r@p.example","attached":true},{"email":"s@p.example","attached":true}"#, "more than one"),
  ])
  func mistakesAreNamed(_ accounts: String, _ problem: String) throws {
    let error = try #require(throws: SandboxError.self) { try seed(accounts) }
    #expect(error.message.contains(problem), "\(error)")
  }
}
