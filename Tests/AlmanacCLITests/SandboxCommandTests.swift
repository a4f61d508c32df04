// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// `almanac sandbox`, as it is built.
@Suite(.timeLimit(.minutes(1))) struct SandboxCommandTests {
  private let almanac = try? BuiltCommand()

  @Test func quotaIsOfAUserAndAMinute() async throws {
    let almanac = try #require(almanac)
    let sandbox = try await RunningSandbox(try almanac.start(["sandbox", "--json", "--quota", "1"]))
    var refusals: [String?] = []
    // Of three, two are in the same minute.
    for _ in 0..<3 {
      let response = try await sandbox.send(.get, "calendar/v3/colors")
      if response.status == 200 { continue }
      let error = try JSONValue(json: response.body)["error"]
      refusals.append(error?["errors"]?.array?.first?["reason"]?.string)
    }
    #expect((1...2).contains(refusals.count) && refusals.allSatisfy { $0 == "userRateLimitExceeded" }, "\(refusals)")
    await sandbox.stop()
  }

  @Test(arguments: ["0", "-1", "many"])
  func quotaIsAPositiveNumber(text: String) async {
    let result = await CommandHarness().run("sandbox", "--quota=\(text)")
    #expect(result.status == .usage && result.errors.contains("--quota is a number"), "\(result.errors)")
  }
}

/// A process of `almanac sandbox --json`, and a token for its API.
private struct RunningSandbox {
  private let command: ChildProcess
  private let base: String
  private let token: String

  init(_ command: ChildProcess) async throws {
    var text = ""
    for await line in command.lines {
      text += line + "\n"
      if line == "}" { break }
    }
    self.command = command
    base = try #require(try JSONValue(json: Array(text.utf8))["url"]?.string)
    let request = HTTPRequest(
      .post, try #require(URL(string: "\(base)/sandbox/token")), fields: ["Content-Type": "application/json"],
      body: Array("{}".utf8))
    let issued = try await DefaultTransport().send(request)
    token = try #require(try JSONValue(json: issued.body)["access_token"]?.string)
  }

  func send(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, type: String = "application/json"
  ) async throws -> HTTPResponse {
    var fields: HTTPFields = ["Authorization": "Bearer \(token)"]
    if body != nil { fields["Content-Type"] = type }
    let url = try #require(URL(string: "\(base)/\(path)"))
    let request = HTTPRequest(method, url, fields: fields, body: body.map { Array($0.utf8) })
    return try await DefaultTransport().send(request)
  }

  func stop() async {
    command.interrupt()
    _ = await command.exitStatus()
  }
}
