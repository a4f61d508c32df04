// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import TestSupport
import Testing
import TokenStore

#if os(Linux)
  /// The prompt for a secret, at a terminal that the test creates.
  @Suite(.takesTurns) struct SecretPromptTests {
    /// Asks at a new terminal, and returns after the prompt is shown.
    private func asked() async throws -> (PseudoTerminal, Task<Secret, any Error>) {
      let terminal = try PseudoTerminal()
      let path = terminal.path
      let asked = Task { try await SecretPrompt.ask("Secret: ", at: path) }
      #expect(await terminal.shown(until: ": ") == "Secret: ")
      return (terminal, asked)
    }

    @Test(arguments: [
      ("s3cret\n", "s3cret"), ("with space \n", "with space "), ("ünï\n", "ünï"), ("first\nsecond\n", "first"),
      ("ended\u{4}\u{4}", "ended"), ("x\u{7F}y\n", "y"),
    ])
    func lineIsReadWithoutEcho(_ typed: String, _ secret: String) async throws {
      let (terminal, asked) = try await asked()
      #expect(!terminal.echoes)
      try terminal.type(typed)
      #expect(try await asked.value.reveal() == secret)
      #expect(await terminal.shown(until: "\n") == "\r\n", "nothing of the secret is shown")
      #expect(terminal.echoes)
    }

    @Test(arguments: ["\n", "\u{4}"]) func emptyInputIsNoSecret(_ typed: String) async throws {
      let (terminal, asked) = try await asked()
      try terminal.type(typed)
      let error = await #expect(throws: (any Error).self) { try await asked.value }
      #expect(error.map { "\($0)" }?.contains(#""No secret was entered.""#) == true)
      #expect(error.map { AlmanacCLI.ExitStatus($0) } == .usage)
      #expect(await terminal.shown(until: "\n") == "\r\n")
      #expect(terminal.echoes)
    }

    @Test func longLineEndsAtItsLimit() async throws {
      let (terminal, asked) = try await asked()
      // At its end-of-file character, a terminal delivers its input without a line end.
      for _ in 1...5 { try terminal.type(String(repeating: "x", count: 1000) + "\u{4}") }
      #expect(try await asked.value.reveal() == String(repeating: "x", count: 4096))
      #expect(terminal.echoes)
    }

    @Test func cancelledPromptRestoresTheEcho() async throws {
      let (terminal, asked) = try await asked()
      try terminal.type("half")
      asked.cancel()
      await #expect(throws: CancellationError.self) { try await asked.value }
      #expect(terminal.echoes)
    }

    @Test(arguments: [("/nowhere/tty", "Use --client-secret-file"), ("/dev/null", "cannot hide the secret")])
    func promptNeedsATerminal(_ path: String, _ message: String) async throws {
      let error = await #expect(throws: (any Error).self) { try await SecretPrompt.ask("Secret: ", at: path) }
      #expect(error.map { "\($0)" }?.contains(message) == true)
      #expect(error.map { AlmanacCLI.ExitStatus($0) } == .usage)
    }
  }
#endif
