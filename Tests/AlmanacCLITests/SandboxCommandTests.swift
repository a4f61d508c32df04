// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The built command `almanac sandbox`.
@Suite(.takesTurns) struct SandboxCommandTests {
  private static let tracer = "/usr/bin/strace"
  private let almanac = try? BuiltCommand()

  @Test func quotaIsOfAUserAndAMinute() async throws {
    let almanac = try #require(almanac)
    try await RunningSandbox.with(try almanac.start(["sandbox", "--json", "--quota", "1"])) { sandbox in
      var refusals: [String?] = []
      // Two of the three are in the same minute.
      for _ in 0..<3 {
        let response = try await sandbox.send(.get, "calendar/v3/colors")
        if response.status == 200 { continue }
        let error = try JSONValue(json: response.body)["error"]
        refusals.append(error?["errors"]?.array?.first?["reason"]?.string)
      }
      #expect(
        (1...2).contains(refusals.count) && refusals.allSatisfy { $0 == "userRateLimitExceeded" }, "\(refusals)")
    }
  }

  @Test func consentIsOfAUserWhoIsKnown() async throws {
    let result = await CommandHarness().run("sandbox", "--approve=x@example.com")
    #expect(result.status == .usage && result.errors.contains("person@example.com"), "\(result.errors)")
    let almanac = try #require(almanac)
    try await RunningSandbox.with(try almanac.start(["sandbox", "--json", "--approve", "person@example.com"])) {
      sandbox in
      let query = "client_id=almanac&response_type=code&scope=email&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"
      let challenge = "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
      let response = try await sandbox.send(.get, "authorize?\(query)&\(challenge)")
      #expect(response.status == 303 && response.fields["Location"]?.contains("code=") == true)
      let metadata = try await sandbox.send(.get, ".well-known/openid-configuration")
      #expect(try JSONValue(json: metadata.body)["registration_endpoint"] != nil)
    }
  }

  @Test(arguments: ["/nowhere", "/", "/dev/zero"]) func seedThatCannotBeReadIsNamed(_ path: String) async {
    let result = await CommandHarness().run("sandbox", "--seed", path)
    #expect(result.status == .usage && result.errors.contains("--seed"), "\(result.errors)")
  }

  @Test func secondSandboxOfAFolderNamesTheFirst() async throws {
    let almanac = try #require(almanac)
    let folder = almanac.home.appending(path: "data").path()
    try await RunningSandbox.with(try almanac.start(["sandbox", "--json", "--data", folder])) { _ in
      let second = try almanac.start(["sandbox", "--data", folder])
      let line = await second.lines.first { _ in true }
      await second.kill()
      #expect(line?.contains(/The process [0-9]+ uses the folder/) == true, "\(line ?? "nothing")")
    }
  }

  /// A missing synchronization is visible only after a power failure, not after the end of a process.
  ///
  /// Therefore the calls are traced.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: tracer), "strace is not installed"),
    .disabled(if: Sanitizer.isActive, "a sanitizer makes system calls of its own"))
  func everyWriteIsSynchronizedAndABatchOnce() async throws {
    let home = try #require(almanac).home
    let trace = home.appending(path: "trace").path()
    // -f follows all threads; -y shows a descriptor's path; -D keeps the command a child of this process.
    let options = ["-D", "-f", "-y", "-qq", "-e", "signal=none", "-e", "trace=fsync", "-o", trace]
    let command = ["sandbox", "--json", "--data", home.appending(path: "data").path()]
    let process = try ChildProcess(
      executable: URL(filePath: Self.tracer), options + [try BuiltProgram.find("almanac").path] + command,
      environment: ["HOME": home.path(), "PATH": "/usr/bin:/bin"])
    try await RunningSandbox.with(process) { sandbox in
      let events = "calendar/v3/calendars/primary/events"
      let event = #"{"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
      for _ in 0..<2 { #expect(try await sandbox.send(.post, events, event).status == 200) }
      #expect(try await sandbox.send(.get, events).status == 200)
      let part = "--x\r\nContent-Type: application/http\r\n\r\nPOST /\(events) HTTP/1.1\r\n"
      let call = part + "Content-Type: application/json\r\n\r\n\(event)\r\n"
      let response = try await sandbox.send(
        .post, "batch/calendar/v3", String(repeating: call, count: 3) + "--x--\r\n",
        type: "multipart/mixed; boundary=x")
      #expect(String(decoding: response.body, as: UTF8.self).components(separatedBy: "200 OK").count == 4)
    }
    // Lines such as `7 fsync(5</tmp/data>) = 0`.
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let paths = lines.filter { $0.contains("fsync(") }.compactMap { $0.split(separator: ">").first }
    let names = paths.map { String($0.split(separator: "/").last ?? "") }
    let log = "calendar.jsonl"
    let expected = [home.lastPathComponent, "calendar.jsonl.new", "data", log, log, log]
    #expect(names == expected, "the folder of the new folder comes first")
  }
}
