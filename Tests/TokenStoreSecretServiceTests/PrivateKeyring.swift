// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestSupport
import Testing

/// A session bus of the test, with a GNOME Keyring whose default collection is unlocked and empty, a ``MockSecretService`` or no keyring.
///
/// The bus starts no service by itself. The bus ends, the keyring with it, and the folder is removed when the process ends, however it
/// ends.
final class PrivateKeyring: Sendable {
  /// Runs a test only if the programs are installed.
  static var isInstalled: ConditionTrait {
    .enabled(
      """
      No keyring is installed, so this was not tested. On Debian: \
      apt-get install gnome-keyring dbus libsecret-tools
      """
    ) {
      ["gnome-keyring-daemon", "dbus-daemon", "dbus-monitor", "dbus-send", "secret-tool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
      }
    }
  }

  /// Runs a test only if the mock can run, too.
  static var hasMock: ConditionTrait {
    .enabled("The mock keyring cannot run, so this was not tested. On Debian: apt-get install python3-gi") {
      (try? await run("python3 -c 'from gi.repository import Gio'", ["PATH": "/usr/bin:/bin"])) != nil
    }
  }

  let folder: String
  /// The environment of programs on the bus.
  let environment: [String: String]
  private let bus: ChildProcess
  private let keyring: ChildProcess?
  /// The lines that the keyring prints: for a mock, the calls that concern its prompt.
  var lines: AsyncStream<String>? { keyring?.lines }
  /// Their ends are noticed by the programs, which then end.
  private let lifelines: [Support.Pipe]

  private static let common = Task { try await PrivateKeyring() }

  /// The unlocked keyring that tests share if they do not change it.
  static var shared: PrivateKeyring { get async throws { try await common.value } }

  /// Starts a bus and, if `hasKeyring`, a keyring on it: a mock with a fault if one is named.
  init(hasKeyring: Bool = true, mock fault: String? = nil) async throws {
    folder = "/tmp/almanac-keyring-\(UUID().uuidString.prefix(8))"
    let keyrings = "\(folder)/data/keyrings"
    try FileManager.default.createDirectory(atPath: keyrings, withIntermediateDirectories: true)
    // Without a default collection, a prompt would ask for the password of a new one.
    try "login".write(toFile: "\(keyrings)/default", atomically: true, encoding: .utf8)
    let configuration = """
      <busconfig>
      <type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
      </busconfig>
      """
    try configuration.write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    try MockSecretService.script.write(toFile: "\(folder)/mock.py", atomically: true, encoding: .utf8)
    let environment = [
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "HOME": folder, "PATH": "/usr/bin:/bin",
      "XDG_CACHE_HOME": "\(folder)/cache", "XDG_CONFIG_HOME": "\(folder)/config", "XDG_DATA_HOME": "\(folder)/data",
      "XDG_RUNTIME_DIR": folder,
    ]
    self.environment = environment
    guard let first = Support.Pipe(), let second = Support.Pipe() else {
      throw KeyringError("No descriptors are left.")
    }
    lifelines = [first, second]
    bus = try Self.start(
      """
      dbus-daemon --config-file=\(folder)/bus.conf --nofork --print-address & \
      cat >/dev/null; kill $!; wait; rm -rf \(folder)
      """, environment, input: first)
    guard await bus.lines.contains(where: { $0.contains("guid=") }) else {
      throw KeyringError("The bus did not start.")
    }
    guard hasKeyring else {
      keyring = nil
      return
    }
    let monitor = try Self.start(
      "exec dbus-monitor \"type='signal',member='NameOwnerChanged',arg0='org.freedesktop.secrets'\"", environment,
      input: second)
    var lines = monitor.lines.makeAsyncIterator()
    guard await lines.next() != nil else { throw KeyringError("The bus cannot be watched.") }
    let mock = "\(folder)/mock.py"
    let program =
      fault.map { "python3 \(mock) \($0)" }
      ?? "printf password | gnome-keyring-daemon --foreground --unlock --components=secrets"
    keyring = try Self.start(
      """
      \(program) & k=$!; echo $k >\(folder)/keyring; cat >/dev/null; kill $k; kill -CONT $k
      """, environment, input: second)
    while let line = await lines.next(), !line.contains("org.freedesktop.secrets") {}
    await monitor.kill()
  }

  /// Locks the default collection.
  func lock() async throws {
    try await Self.run(
      """
      dbus-send --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
      org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login
      """, environment)
  }

  /// Adds an item of the storage.
  func store(_ secret: String, as name: String) async throws {
    try await Self.run(
      "printf '\(secret)' | secret-tool store --label=damaged xdg:schema almanac.Token service tests name \(name)",
      environment)
  }

  /// Returns a description of all items of the storage, in lines.
  func search() async throws -> [String] {
    try await Self.run("secret-tool search --all service tests 2>&1", environment)
  }

  /// Stops the keyring, which then does not respond.
  func suspend() async throws { try await Self.run("kill -STOP $(cat \(folder)/keyring)", environment) }

  /// Makes one call in a process on the bus.
  ///
  /// - Returns: The lines of its output.
  func call(_ name: String, _ account: String = "a", environment more: [String: String] = [:]) async throws -> [String]
  {
    try await output(of: begin(name, account, environment: more))
  }

  /// Begins a call in a process on the bus.
  func begin(_ name: String, _ account: String = "a", environment more: [String: String] = [:]) throws -> ChildProcess {
    try ChildProcess(
      program: "TestProcess", ["call-keyring", name, "\(folder)/locks", account],
      environment: environment.merging(more) { $1 }, mergesErrors: true)
  }

  /// Returns all lines that a call prints.
  func output(of process: ChildProcess) async -> [String] {
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    _ = await process.exitStatus()
    return lines
  }

  private static func start(
    _ script: String, _ environment: [String: String], input: borrowing Support.Pipe
  ) throws -> ChildProcess {
    try ChildProcess(
      executable: URL(filePath: "/bin/sh"), ["-c", script], environment: environment, input: input.readEnd.number,
      mergesErrors: true)
  }

  @discardableResult
  private static func run(_ script: String, _ environment: [String: String]) async throws -> [String] {
    let process = try ChildProcess(
      executable: URL(filePath: "/bin/sh"), ["-c", script], environment: environment, mergesErrors: true)
    var output: [String] = []
    for await line in process.lines { output.append(line) }
    guard await process.exitStatus() == 0 else { throw KeyringError(output.joined(separator: "\n")) }
    return output
  }
}

/// An error of a program that a test has started.
struct KeyringError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
