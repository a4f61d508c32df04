// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TokenStore

/// The data on the disk before a call returns, by the system calls of a traced process.
///
/// Killing a process cannot show that a file or folder was never synchronized. Only a power cut can.
@Suite(
  .takesTurns, .enabled(if: FileManager.default.isExecutableFile(atPath: SystemCall.tracer), "strace is not installed"),
  .disabled(if: Sanitizer.isActive, "a sanitizer makes system calls of its own"))
struct FileTokenStorageDurabilityTests {
  private let home: TemporaryDirectory
  private let directory: String

  init() throws {
    home = try TemporaryDirectory()
    directory = home.path("a/b/tokens")
  }

  @Test func aWriteSynchronizesTheFileThenRenamesItThenSynchronizesTheFolder() async throws {
    let write: [SystemCall] = [
      .synchronize("\(directory)/account.tmp"), .rename("account.tmp", "account.json"), .synchronize(directory),
    ]
    // A new folder is synchronized in each folder above it.
    let folders = ["", "/a", "/a/b"].map { SystemCall.synchronize(home.path + $0) }
    for expected in [folders + write, write] {
      #expect(try await SystemCall.trace("write", directory, "account", "100", "022", "100000") == expected)
    }
  }

  @Test func aRemovalSynchronizesTheFolder() async throws {
    try await FileTokenStorage(path: directory).write(token("old"), for: "account")
    let calls = try await SystemCall.trace("remove", directory, "account")
    #expect(calls == [.remove("account.json"), .synchronize(directory)])
  }

  @Test func settingADamagedRecordAsideSynchronizesTheFolder() async throws {
    try await FileTokenStorage(path: directory).write(token("old"), for: "account")
    try put(Data("damaged".utf8), at: "\(directory)/account.json")
    let calls = try await SystemCall.trace("remove", directory, "account")
    let aside = try #require(try names(in: directory).first { $0.hasSuffix(".corrupted") })
    #expect(calls.prefix(2) == [.rename("account.json", aside), .synchronize(directory)])
  }
}

/// A system call that succeeded.
private enum SystemCall: Equatable {
  case synchronize(String)
  case rename(String, String)
  case remove(String)

  static let tracer = "/usr/bin/strace"

  /// Returns the calls that `TestProcess` makes, in their order, when it is started with `arguments`.
  static func trace(_ arguments: String...) async throws -> [SystemCall] {
    let program = try BuiltProgram.find("TestProcess").path
    // -f follows the threads that the calls are made on; -y shows a descriptor's path; -s does not cut texts.
    let home = try TemporaryDirectory()
    let options = [
      "-f", "-y", "-qq", "-s", "4096", "-e", "signal=none", "-e", "trace=fsync,/rename,unlinkat", "-o",
      home.path("trace"),
    ]
    let child = try ChildProcess(executable: URL(fileURLWithPath: tracer), options + [program] + arguments)
    #expect(await child.exitStatus() == 0)
    return String(decoding: try contents(home.path("trace")), as: UTF8.self)
      .split(separator: "\n").compactMap { SystemCall(String($0)) }
  }

  /// Reads a line such as `7 fsync(5</tmp/tokens>) = 0`.
  ///
  /// A call that did not succeed, and the second half of one that another thread interrupted, is none.
  private init?(_ line: String) {
    guard !line.contains(" = -1 "), let open = line.firstIndex(of: "(") else { return nil }
    let name = line[..<open].split(separator: " ").last ?? ""
    let texts = line[open...].split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
    switch name {
    case "fsync":
      guard let start = line.firstIndex(of: "<"), let end = line[start...].firstIndex(of: ">") else { return nil }
      self = .synchronize(String(line[line.index(after: start)..<end]))
    case "rename", "renameat", "renameat2":
      guard texts.count == 2 else { return nil }
      self = .rename(texts[0], texts[1])
    case "unlinkat":
      guard let text = texts.first else { return nil }
      self = .remove(text)
    default: return nil
    }
  }
}
