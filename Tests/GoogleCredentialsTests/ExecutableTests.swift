// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// A program whose output a test makes up, and which keeps what it was called with.
private final class ScriptedProgram: ProgramRunner {
  struct Call: Sendable {
    let program: String
    let arguments: [String]
    let environment: [String: String]
  }

  private let noted = Mutex<[Call]>([])
  private let respond: @Sendable () async throws -> ProgramOutcome

  init(_ respond: @escaping @Sendable () async throws -> ProgramOutcome) { self.respond = respond }

  convenience init(_ output: String, status: Int = 0) {
    self.init { ProgramOutcome(status: status, output: Array(output.utf8)) }
  }

  var calls: [Call] { noted.withLock(\.self) }

  func run(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) async throws -> ProgramOutcome {
    noted.withLock { $0.append(Call(program: program, arguments: arguments, environment: environment)) }
    return try await respond()
  }
}

/// The token of a workload from a program.
@Suite(.takesTurns) struct ExecutableTests {
  private static let allowed = ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1", "LANG": "C"]
  private static let good =
    #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"workload-token"}"#

  private static func good(until time: Timestamp) -> String {
    good.dropLast() + #","expiration_time":\#(time.secondsSince1970)}"#
  }

  private let clock = ManualClock()
  /// A Security Token Service that accepts any token.
  private let exchange = StubTransport { _ in
    let body =
      #"{"access_token":"a","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3600}"#
    return HTTPResponse.json(body)
  }

  private func credential(
    _ programs: (any ProgramRunner)?, _ executable: [String: JSONValue] = [:],
    variables: [String: String] = allowed, files: [String: String] = [:], changes: [String: JSONValue?] = [:]
  ) throws -> GoogleCredential {
    let executable = JSONValue.object(["command": "/bin/token --for 'a b'"].merging(executable) { $1 })
    var all: [String: JSONValue?] = ["credential_source": ["executable": executable]]
    all.merge(changes) { $1 }
    var environment = CredentialEnvironment(
      transport: exchange, clock: clock, variables: variables, files: FixedFiles(contents: files))
    environment.programs = programs
    return try GoogleCredential.json(
      Array(ExternalAccountTests.file(all).utf8), scopes: [Cloud.scope], in: environment)
  }

  private var exchanged: [String?] { exchange.requests.map { $0.form["subject_token"] } }

  @Test func programIsToldWhatForAndItsTokenExchanged() async throws {
    let program = ScriptedProgram(Self.good)
    let credential = try credential(
      program, changes: ["service_account_impersonation_url": .string(ExternalAccountTests.impersonation)])
    // The stub exchanges, and knows nothing of impersonation.
    await #expect(throws: GoogleCredentialError.self) { try await credential.accessToken() }
    let call = try #require(program.calls.first)
    #expect(call.program == "/bin/token" && call.arguments == ["--for", "a b"])
    #expect(
      call.environment == [
        "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1", "LANG": "C",
        "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": ExternalAccountTests.audience,
        "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": ExternalAccountTests.jwt, "GOOGLE_EXTERNAL_ACCOUNT_ID": Cloud.target,
        "GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL": Cloud.target, "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "0",
        "GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "0",
      ])
    #expect(exchanged.first == "workload-token")
  }

  @Test func programsRunOnlyIfAllowed() async throws {
    let program = ScriptedProgram(Self.good)
    for value in [nil, "", "0", "true"] {
      let variables = value.map { ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": $0] } ?? [:]
      let credential = try credential(program, variables: variables)
      await expectFailure(.invalidConfiguration, "If you trust it, set GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES to 1")
      { try await credential.accessToken() }
    }
    #expect(program.calls.isEmpty && exchange.requests.isEmpty)
  }

  @Test func platformWithoutProgramsSaysSo() async throws {
    let credential = try credential(nil)
    await expectFailure(.unsupported, "Use another credential") { try await credential.accessToken() }
  }

  @Test(arguments: [
    "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:saml2",
  ])
  func tokenOfEveryTypeIsRead(_ type: String) async throws {
    let member = type.hasSuffix("saml2") ? "saml_response" : "id_token"
    let output = #"{"version":1,"success":true,"token_type":"\#(type)","\#(member)":"t"}"#
    _ = try await credential(ScriptedProgram(output)).accessToken()
    #expect(exchanged == ["t"])
  }

  @Test(arguments: [
    ("", "a JSON object"), ("hunter2", "a JSON object"), ("[]", "a JSON object"),
    (#"{"success":true}"#, "member version"),
    (#"{"version":2,"success":true}"#, "version"), (#"{"version":0,"success":true}"#, "version"),
    (#"{"version":1}"#, "member success"), (#"{"version":1,"success":"yes"}"#, "member success"),
    (#"{"version":1,"expiration_time":"soon"}"#, "member expiration_time"),
    (#"{"version":1,"success":true,"id_token":"hunter2"}"#, "member token_type"),
    (#"{"version":1,"success":true,"token_type":"other","id_token":"hunter2"}"#, "token of an unsupported type"),
    (#"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt"}"#, "member id_token"),
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:saml2","id_token":"hunter2"}"#,
      "member saml_response"
    ),
    (#"{"version":1,"success":false,"message":"hunter2"}"#, "member code"),
    (#"{"version":1,"success":false,"code":"401"}"#, "member message"),
    (#"{"version":1,"success":false,"code":"401","message":"hunter2"}"#, "the error code 401"),
  ])
  func outputThatIsNoTokenIsExplained(_ output: String, _ text: String) async throws {
    let credential = try credential(ScriptedProgram(output))
    // The output may be a secret, so the error does not contain it.
    await expectFailure(.subjectTokenUnavailable, text) { try await credential.accessToken() }
    #expect(exchange.requests.isEmpty)
  }

  @Test func programThatFailsIsReported() async throws {
    let credential = try credential(ScriptedProgram(Self.good, status: 3))
    await expectFailure(.subjectTokenUnavailable, "The credential's program /bin/token ended with status 3") {
      try await credential.accessToken()
    }
  }

  @Test func tokenThatHasExpiredIsNotExchanged() async throws {
    let credential = try credential(ScriptedProgram(Self.good(until: clock.now)))
    await expectFailure(.subjectTokenUnavailable, "returned an expired token") { try await credential.accessToken() }
    #expect(exchange.requests.isEmpty)
  }

  @Test func tokenThatTheProgramKeptIsUsedWhileItIsGood() async throws {
    let program = ScriptedProgram(Self.good(until: clock.now + .seconds(7200)))
    let kept = Self.good(until: clock.now + .seconds(1)).replacing("workload-token", with: "kept-token")
    let credential = try credential(program, ["output_file": "/tmp/kept"], files: ["/tmp/kept": kept])
    _ = try await credential.accessToken()
    #expect(exchanged == ["kept-token"] && program.calls.isEmpty)
    clock.advance(by: .seconds(3600))
    _ = try await credential.accessToken()
    #expect(exchanged == ["kept-token", "workload-token"])
    #expect(program.calls.first?.environment["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE"] == "/tmp/kept")
  }

  @Test func keptTokenThatDoesNotSayHowLongItIsGoodIsNotUsed() async throws {
    let program = ScriptedProgram(Self.good(until: clock.now + .seconds(3600)))
    _ = try await credential(
      program, ["output_file": "/tmp/kept"],
      files: ["/tmp/kept": Self.good.replacing("workload-token", with: "kept-token")]
    ).accessToken()
    #expect(exchanged == ["workload-token"] && program.calls.count == 1)
  }

  /// As google-auth does for a file that is not JSON: it may be half written.
  @Test(arguments: ["{", #"{"version":1,"success":true,"tok"#, "[]", #"{"version":2}"#, "\u{FF}"])
  func programRunsWhereItsFileCannotBeRead(_ content: String) async throws {
    let program = ScriptedProgram(Self.good(until: clock.now + .seconds(3600)))
    _ = try await credential(program, ["output_file": "/tmp/kept"], files: ["/tmp/kept": content]).accessToken()
    #expect(exchanged == ["workload-token"] && program.calls.count == 1)
  }

  @Test func programMayWriteToItsFileAlone() async throws {
    // The file was written meanwhile: at the start, its token had expired.
    let program = ScriptedProgram("\n")
    let files = ["/tmp/kept": Self.good(until: clock.now)]
    await expectFailure(.subjectTokenUnavailable, "returned an expired token") {
      try await credential(program, ["output_file": "/tmp/kept"], files: files).accessToken()
    }
    #expect(program.calls.count == 1)
  }

  /// The expiration time is required with an output file, in the output and in the file.
  @Test(arguments: [good, "\n"]) func tokenWithoutExpiryIsRefusedWithAnOutputFile(_ output: String) async throws {
    let error = try await failure(GoogleCredentialError.self) {
      try await credential(ScriptedProgram(output), ["output_file": "/tmp/kept"], files: ["/tmp/kept": Self.good])
        .accessToken()
    }
    #expect(error.message.contains("expiration_time") && exchange.requests.isEmpty)
  }

  @Test(arguments: [(5000, 5), (120_000, 120), (nil, 30)] as [(Int?, Int)])
  func timeLimitIsKept(_ milliseconds: Int?, _ seconds: Int) async throws {
    let program = ScriptedProgram { [clock] in
      try await clock.sleep(for: .seconds(100_000))
      return ProgramOutcome(status: 0, output: [])
    }
    let options = milliseconds.map { ["timeout_millis": JSONValue.number(JSONNumber($0))] } ?? [:]
    let credential = try credential(program, options)
    let token = Task { try await credential.accessToken() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(seconds - 1))
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .seconds(1))
    await expectFailure(.subjectTokenUnavailable, "longer than \(seconds) seconds") { try await token.value }
  }

  /// The words that a POSIX shell makes of a command.
  @Test(arguments: [
    ("a b", ["a", "b"]), ("  a\t b\n", ["a", "b"]), ("'a b' c", ["a b", "c"]), (#"a\ b"#, ["a b"]),
    (#""a \"b\" \\ \n" c"#, [#"a "b" \ \n"#, "c"]), ("a''b", ["ab"]), ("'' x", ["", "x"]), (#"'\'"#, [#"\"#]),
    ("a#b $HOME *", ["a#b", "$HOME", "*"]), ("ä\u{301}'ö'", ["ä\u{301}ö"]),
  ])
  func commandIsSplitIntoWords(_ command: String, _ words: [String]) async throws {
    let program = ScriptedProgram(Self.good)
    _ = try await credential(program, ["command": .string(command)]).accessToken()
    let call = try #require(program.calls.first)
    #expect([call.program] + call.arguments == words)
  }

  #if os(macOS) || os(Linux)
    // MARK: - Processes

    private func run(_ script: String) async throws -> ProgramOutcome {
      try await SystemPrograms().run("/bin/sh", ["-c", script], environment: [:])
    }

    @Test func largeOutputIsReadAndEndlessOutputIsNot() async throws {
      let outcome = try await run("head -c 1000000 /dev/zero")
      #expect(outcome.output.count == 1_000_000)
      await expectFailure(.subjectTokenUnavailable, "printed more than 1 MiB, and was ended") { try await run("yes") }
    }

    @Test func programThatIsNotThereIsReported() async throws {
      await expectFailure(.subjectTokenUnavailable, "Check its path and permissions") {
        try await SystemPrograms().run("/nowhere/program", [], environment: [:])
      }
    }

    /// A process in the background holds the output open.
    @Test func endOfTheProgramIsTheEndOfTheRun() async throws {
      let outcome = try await run("sleep 1000 & echo done")
      #expect(outcome == ProgramOutcome(status: 0, output: Array("done\n".utf8)))
    }

    @Test func cancellationKillsTheProgramAndWhatItStarted() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "pids").path
      let task = Task { try await run("sleep 1000 & echo $$ $! > '\(file).new'; mv '\(file).new' '\(file)'; wait") }
      var text = ""
      while !text.hasSuffix("\n") {
        text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        await Task.yield()
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let processes = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
      #expect(processes.count == 2)
      // The one in the background is reaped by the system, a moment later.
      for process in processes { while kill(process, 0) == 0, try isRunning(process) { await Task.yield() } }
    }

    /// Whether a process is there and not merely waiting to be reaped.
    private func isRunning(_ process: Int32) throws -> Bool {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
      return !status.contains(") Z ")
    }
  #endif
}
