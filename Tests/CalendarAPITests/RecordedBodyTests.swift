// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing

/// Bodies that servers have sent, in a folder that `ALMANAC_RECORDED_BODIES` names: reading and writing loses nothing.
///
/// They hold the data of their users, so that none is in the repository; `RecordedShapeTests` has their shapes.
struct RecordedBodyTests {
  private static let folder = ProcessInfo.processInfo.environment["ALMANAC_RECORDED_BODIES"]

  @Test("Every body survives", .enabled(if: folder != nil)) func everyBodySurvives() async throws {
    let table = try APITable()
    let files = try Self.files(in: URL(filePath: try #require(Self.folder), directoryHint: .isDirectory))
    var errors = 0
    for file in files {
      let body = [UInt8](try Data(contentsOf: file))
      let name = file.lastPathComponent
      guard let recorded = try? JSONValue(json: body), recorded["error"] == nil else {
        try await Self.expectError(from: body, name)
        errors += 1
        continue
      }
      let schema = try #require(table.schema(of: recorded, fileName: name))
      let written = try JSONValue(json: #require(CoverageTests.schemas[schema]).init(json: body).json())
      let expected = table.inOneSpelling(recorded, ofSchema: schema)
      #expect(table.inOneSpelling(written, ofSchema: schema) == expected, "\(name), read as \(schema)")
    }
    print("recorded bodies: \(files.count - errors) read and written, \(errors) refusals read")
    #expect(!files.isEmpty, "The folder has no JSON.")
  }

  /// A refusal has no schema: its status, which begins the name of the file if the body is not JSON, and its reason are read.
  private static func expectError(from body: [UInt8], _ name: String) async throws {
    let error = (try? JSONValue(json: body))?["error"]
    let status = try #require(error?["code"]?.number?.integer ?? Int(name.prefix(3)), "\(name)")
    let client = CalendarClient(
      transport: StubTransport(HTTPResponse(status: status, body: body)),
      options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    let thrown = try await #require(throws: CalendarError.self) { try await client.colors.get() }
    #expect(thrown.status == status, "\(name)")
    #expect(thrown.serverMessage == error?["message"]?.string, "\(name)")
    #expect(thrown.code.rawValue == error?["errors"]?.array?.first?["reason"]?.string ?? "unexplained", "\(name)")
  }

  /// The files of a folder, at any depth, whose names have the extension `json`, not necessarily as the last one.
  private static func files(in folder: URL) throws -> [URL] {
    let found = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return found.compactMap { $0 as? URL }.filter { $0.lastPathComponent.split(separator: ".").contains("json") }
      .sorted { $0.path < $1.path }
  }
}
