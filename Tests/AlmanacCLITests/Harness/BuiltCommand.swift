// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport

/// The command as it is built, in processes with settings and tokens in a folder of its own and no browser.
final class BuiltCommand: Sendable {
  /// The exit status, and what was written to standard output and error.
  typealias Outcome = (status: Int32, said: String)

  /// The home folder of the processes, which is removed at the end.
  let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: home) }

  /// Starts the command; the test reads its lines, and waits for its end.
  func start(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
    let plain = ["HOME": home.path(), "PATH": "/usr/bin:/bin"]
    return try ChildProcess(
      program: "almanac", arguments, environment: plain.merging(environment) { $1 }, mergesErrors: true)
  }

  /// Runs the command to its end.
  ///
  /// - Returns: Its exit status, and what it wrote to standard output and error.
  func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  /// Runs the command to its end, as ``run(_:environment:)`` does.
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
    let command = try start(arguments, environment)
    var said = ""
    for await line in command.lines { said += line + "\n" }
    return (await command.exitStatus(), said)
  }

  /// Runs a line of shell in which `almanac` is the command.
  ///
  /// - Returns: Its exit status, and what it wrote to standard output and error.
  func shell(_ line: String) async throws -> Outcome {
    let program = try BuiltProgram.find("almanac")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "ALMANAC='\(program.path())'; almanac() { \"$ALMANAC\" \"$@\"; }\n\(line)"]
    process.environment = ChildEnvironment.make(
      ["HOME": home.path(), "PATH": "/usr/bin:/bin", "TMPDIR": home.path()])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          try process.run()
          let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          continuation.resume(returning: (process.terminationStatus, said))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// Signs in against a sandbox, the test being the browser.
  ///
  /// - Parameter scopes: The scopes to name; an empty text names none.
  func signIn(
    to server: LoopbackServer, _ sandbox: Sandbox, apiURL: URL? = nil,
    scopes: String = GoogleScope.default.map(\.rawValue).joined(separator: " "), _ more: String...
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
