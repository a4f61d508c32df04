// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.takesTurns) struct ChildProcessTests {
  private struct NoFolder: Error {}

  @Test func aCancelledWaitEndsTheProcess() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = try ChildProcess("hold-lock", folder.path(), "account")
    for await line in process.lines where line == "held" { break }
    let waiting = Task { await process.exitStatus() }
    waiting.cancel()
    #expect(await waiting.value == 128 + SIGKILL)
    #expect(await process.exitStatus() == 128 + SIGKILL)
    await process.kill()
  }

  @Test func aProgramThatIsNotThereIsAnError() throws {
    #expect(throws: (any Error).self) { try ChildProcess(executable: URL(filePath: "/nowhere"), []) }
  }

  @Test(arguments: [nil, ["PATH": "/usr/bin:/bin"]])
  func aProgramWritesNoCoverageProfile(_ environment: [String: String]?) async throws {
    let process = try ChildProcess(executable: URL(filePath: "/usr/bin/env"), [], environment: environment)
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    #expect(await process.exitStatus() == 0)
    #expect(lines.contains("LLVM_PROFILE_FILE=/dev/null"))
    #expect(lines.contains { $0.hasPrefix("PATH=") })
  }
}
