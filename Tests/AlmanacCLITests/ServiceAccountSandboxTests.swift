// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import OAuthJOSE
import TestSupport
import Testing
import Timekeeping

/// Service accounts of `almanac sandbox`, with a program that uses a key file over sockets.
///
/// The tests of `AlmanacSandbox` prove the servers' responses.
@Suite(.takesTurns) struct ServiceAccountSandboxTests {
  private static let robot = "robot@project.iam.gserviceaccount.com"
  private static let target = "target@project.iam.gserviceaccount.com"

  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  private func seed() throws -> String {
    let path = almanac.home.appending(path: "seed.json").path()
    try
      #"{"users":[{"email":"ana@example.com"}],"serviceAccounts":[{"email":"\#(Self.robot)"},{"email":"\#(Self.target)"}]}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func keyFileLeadsToCalendarsAndIsRemoved() async throws {
    let keys = almanac.home.appending(path: "keys").path()
    let process = try almanac.start(
      ["sandbox", "--json", "--seed", try seed(), "--service-account-keys", keys])
    var paths: [String] = []
    try await RunningSandbox.with(process) { sandbox in
      let cloud = try #require(sandbox.guide["googleCloud"])
      paths = cloud["keyFiles"]?.array?.compactMap(\.string) ?? []
      #expect(paths == [Self.robot, Self.target].map { "\(keys)/\($0).json" })
      for path in paths {
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
      }
      let key = try JSONValue(json: [UInt8](Data(contentsOf: URL(filePath: try #require(paths.first)))))
      #expect(key["token_uri"] == cloud["tokenURL"])

      let token = try await token(key)
      let primary = try await send(
        .get, "\(try #require(sandbox.guide["url"]?.string))/calendar/v3/calendars/primary",
        ["Authorization": "Bearer \(token)"])
      #expect(primary["id"]?.string == Self.robot)
    }
    #expect(!paths.contains(where: FileManager.default.fileExists), "the keys are of no use any more")
  }

  @Test func keyFileThatIsThereIsKept() async throws {
    let folder = almanac.home.appending(path: "keys")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "\(Self.target).json").path()
    try "mine".write(toFile: path, atomically: true, encoding: .utf8)
    let result = try await almanac.run(
      "sandbox", "--seed", try seed(), "--service-account-keys", folder.path())
    #expect(result.status == 1 && result.said.contains("exists"), "\(result.said)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).count == 1)
  }

  private func send(
    _ method: HTTPMethod, _ url: String, _ fields: HTTPFields, _ body: String? = nil
  ) async throws -> JSONValue {
    let request = HTTPRequest(
      method, try #require(URL(string: url)), fields: fields, body: body.map { Array($0.utf8) })
    let response = try await DefaultTransport().send(request)
    #expect(response.status == 200)
    return try JSONValue(json: response.body)
  }

  /// Requests a token with a key file, like a client in any language.
  private func token(_ key: JSONValue) async throws -> String {
    let now = SystemClock().now.secondsSince1970
    let email = try #require(key["client_email"]?.string)
    let url = try #require(key["token_uri"]?.string)
    let claims: JSONValue = [
      "iss": .string(email), "sub": .string(email), "scope": .string(Scope.calendar.rawValue),
      "aud": .string(url), "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 3600)),
    ]
    let signingKey = try SigningKey(
      pem: try #require(key["private_key"]?.string), keyID: key["private_key_id"]?.string)
    let form: FormFields = [
      "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
      "assertion": try JWS.sign(claims.json(), with: signingKey, keyID: key["private_key_id"]?.string),
    ]
    let response = try await send(
      .post, url, ["Content-Type": "application/x-www-form-urlencoded"], FormEncoding.form.encode(form))
    return try #require(response["access_token"]?.string)
  }
}
