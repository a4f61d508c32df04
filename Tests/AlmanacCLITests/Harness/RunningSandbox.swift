// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// A process of `almanac sandbox --json`, and a token for its API.
struct RunningSandbox {
  /// The output of the command.
  let guide: JSONValue
  private let base: String
  private let token: String

  /// Runs `body`, then ends the process and waits for it, even if `body` throws.
  static func with(_ command: ChildProcess, _ body: (RunningSandbox) async throws -> Void) async throws {
    do {
      try await body(try await RunningSandbox(command))
    } catch {
      await command.kill()
      throw error
    }
    command.interrupt()
    #expect(await command.exitStatus() == 0)
  }

  private init(_ command: ChildProcess) async throws {
    var text = ""
    for await line in command.lines {
      text += line + "\n"
      if line == "}" { break }
    }
    guide = try JSONValue(json: Array(text.utf8))
    base = try #require(guide["url"]?.string)
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
    let request = HTTPRequest(
      method, url, fields: fields, body: body.map { Array($0.utf8) }, redirectScope: .noOrigin)
    return try await DefaultTransport().send(request)
  }
}
