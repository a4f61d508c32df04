// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport

/// The built command, run in processes without a browser, with settings and tokens in a temporary folder.
final class BuiltCommand: Sendable {
  /// The exit status, and the text on standard output and standard error.
  typealias Outcome = (status: Int32, said: String)

  /// The home folder of the processes, which is removed at the end.
  let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: home) }

  /// Starts the command.
  ///
  /// The test reads its lines and waits for its end.
  func start(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
    let plain = ["HOME": home.path(), "PATH": "/usr/bin:/bin"]
    return try ChildProcess(
      program: "almanac", arguments, environment: plain.merging(environment) { $1 }, mergesErrors: true)
  }

  /// Runs the command to its end.
  ///
  /// - Returns: Its exit status, and its text on standard output and standard error.
  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Outcome {
    try await outcome(of: start(arguments, environment))
  }

  private func outcome(of process: ChildProcess) async -> Outcome {
    var said = ""
    for await line in process.lines { said += line + "\n" }
    return (await process.exitStatus(), said)
  }

  /// Runs a line of shell in which `almanac` is the command.
  ///
  /// - Returns: Its exit status, and its text on standard output and standard error.
  func shell(_ line: String) async throws -> Outcome {
    let program = try BuiltProgram.find("almanac")
    return await outcome(
      of: try ChildProcess(
        executable: URL(filePath: "/bin/bash"),
        ["-c", "ALMANAC='\(program.path())'; almanac() { \"$ALMANAC\" \"$@\"; }\n\(line)"],
        environment: ["HOME": home.path(), "PATH": "/usr/bin:/bin", "TMPDIR": home.path()], mergesErrors: true))
  }

  /// Signs in to a sandbox, with the test as the browser.
  ///
  /// - Parameter scopes: The scopes to name. An empty text names none.
  func signIn(
    to server: LoopbackServer, _ sandbox: Sandbox, apiURL: URL? = nil,
    scopes: String = "openid email profile calendar.readonly", _ more: String...
  ) async throws -> Outcome {
    let command = try start(
      ["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"]
        + (scopes.isEmpty ? [] : ["--scope", scopes])
        + (apiURL.map { ["--api-url", $0.absoluteString] } ?? []) + more)
    var said = ""
    for await line in command.lines {
      said += line + "\n"
      guard line.hasPrefix("http"), let address = URL(string: line) else { continue }
      let callback = try sandbox.approve(address)
      _ = try await DefaultTransport().send(HTTPRequest(.get, callback))
    }
    return (await command.exitStatus(), said)
  }
}
