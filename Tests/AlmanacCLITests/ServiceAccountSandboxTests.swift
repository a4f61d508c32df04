// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import JSONCoding
import TestSupport
import Testing

/// The key files of `almanac sandbox`.
///
/// The tests of `GoogleCredentials` use such keys.
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

  @Test func keyFileIsForItsUserAndIsRemoved() async throws {
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
      #expect(key["token_uri"] == cloud["tokenURL"] && key["client_email"]?.string == Self.robot)
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
}
