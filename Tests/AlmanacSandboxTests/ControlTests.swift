// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct ControlTests {
  private func harness() throws -> SandboxHarness {
    try SandboxHarness {
      $0.isControllable = true
      $0.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
    }
  }

  private func control(
    _ harness: SandboxHarness, _ path: String, _ json: String = "{}"
  ) async throws -> Answer {
    let url = try #require(URL(string: "\(SandboxHarness.base)/sandbox/\(path)"))
    let fields: HTTPFields = ["Content-Type": "application/json"]
    return try await harness.send(HTTPRequest(.post, url, fields: fields, body: Array(json.utf8)))
  }

  /// A member that is misspelled, or of another type, would otherwise leave a default in force.
  @Test(arguments: [
    ("token", #"{"usr":"ana@example.com"}"#, "usr is unknown"), ("token", #"{"user":1}"#, "user must be a string"),
    ("token", #"{"scope":["email"]}"#, "scope must be a string"),
    ("token", #"{"user":"person@example.com","user":"ana@example.com"}"#, "duplicate member"),
    ("approve", #"{"user_code":"x","denny":true}"#, "denny is unknown"),
    ("approve", #"{"user_code":"x","deny":"yes"}"#, "deny must be true or false"),
    ("fault", #"{"methd":"events.list","status":503}"#, "methd is unknown"),
    ("fault", #"{"carriedOut":true}"#, "carriedOut is unknown"), ("fault", #"{"odd":null}"#, "odd is unknown"),
    ("fault", #"{"carried_out":1}"#, "carried_out must be true or false"),
    ("fault", #"{"reason":7}"#, "reason must be a string"), ("clear-faults", #"{"method":"a"}"#, "method is unknown"),
    ("backchannel-requests", #"{"user":"a"}"#, "user is unknown"), ("expire-sync-tokens", #"{"a":1}"#, "a is unknown"),
    ("invalidate-access-tokens", #"{"a":1}"#, "a is unknown"), ("revoke-grants", #"{"a":1}"#, "a is unknown"),
  ])
  func memberThatIsNotReadIsNamed(_ path: String, _ json: String, _ problem: String) async throws {
    let harness = try harness()
    let token = try #require(try await control(harness, "token", #"{"user":null}"#)["access_token"])
    let answer = try await control(harness, path, json)
    #expect(answer.status == 400 && answer["error_description"]?.contains(problem) == true, "\(answer.text)")
    #expect(try await harness.call(.get, "colors", token: token).status == 200, "the control has no effect")
  }

  @Test func withoutTheSettingThereIsNoControl() async throws {
    let harness = try SandboxHarness()
    #expect(try await control(harness, "token").status == 404)
    #expect(try await harness.get("/sandbox/log").status == 404)
  }
}
