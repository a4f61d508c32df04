// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import TestSupport
import Testing
import TokenStore

#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The prompt for a secret, at a terminal that the test creates.
  @Suite(.takesTurns) struct SecretPromptTests {
    /// A pseudoterminal, with its controlling side as keyboard and screen.
    private final class PseudoTerminal: Sendable {
      let path: String
      private let wire: Int32
      private let line: Int32

      init() throws {
        // Safe: open(2) keeps no pointer to the path, and ioctl(2) reads and writes one number during the call.
        wire = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, UInt32) = (0, 0)
        let (unlock, name): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
        let isUnlocked = unsafe ioctl(wire, unlock, &lock) == 0
        let isNamed = unsafe ioctl(wire, name, &number) == 0
        try #require(wire >= 0 && isUnlocked && isNamed)
        path = "/dev/pts/\(number)"
        line = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(line >= 0)
      }

      deinit {
        close(wire)
        close(line)
      }

      /// Whether the terminal echoes input.
      var echoes: Bool {
        var settings = termios()
        unsafe tcgetattr(line, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
      }

      func type(_ text: String) throws {
        try FileHandle(fileDescriptor: wire, closeOnDealloc: false).write(contentsOf: Data(text.utf8))
      }

      /// Returns the text on the screen until `end`, or until no more text arrives.
      func shown(until end: String) async -> String {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { [wire] in
            var shown: [UInt8] = []
            var ready = pollfd(fd: wire, events: Int16(POLLIN), revents: 0)
            while !shown.reversed().starts(with: end.utf8.reversed()), unsafe poll(&ready, 1, 10_000) == 1 {
              var byte: UInt8 = 0
              guard unsafe read(wire, &byte, 1) == 1 else { break }
              shown.append(byte)
            }
            continuation.resume(returning: String(decoding: shown, as: UTF8.self))
          }
        }
      }
    }

    @Test(arguments: [
      ("s3cret\n", "s3cret"), ("with space \n", "with space "), ("ünï\n", "ünï"), ("first\nsecond\n", "first"),
      ("ended\u{4}\u{4}", "ended"), ("x\u{7F}y\n", "y"),
    ])
    func lineIsReadWithoutEcho(_ typed: String, _ secret: String) async throws {
      let terminal = try PseudoTerminal()
      let path = terminal.path
      let asked = Task { try await SecretPrompt.ask("Secret: ", at: path) }
      #expect(await terminal.shown(until: ": ") == "Secret: ")
      #expect(!terminal.echoes)
      try terminal.type(typed)
      #expect(try await asked.value.reveal() == secret)
      #expect(await terminal.shown(until: "\n") == "\r\n", "nothing of the secret is shown")
      #expect(terminal.echoes)
    }

    @Test(arguments: ["\n", "\u{4}"]) func emptyInputIsNoSecret(_ typed: String) async throws {
      let terminal = try PseudoTerminal()
      let path = terminal.path
      let asked = Task { try await SecretPrompt.ask("Secret: ", at: path) }
      _ = await terminal.shown(until: ": ")
      try terminal.type(typed)
      let error = await #expect(throws: (any Error).self) { try await asked.value }
      #expect(error.map { "\($0)" }?.contains(#""No secret was entered.""#) == true)
      #expect(error.map { AlmanacCLI.ExitStatus($0) } == .usage)
      #expect(await terminal.shown(until: "\n") == "\r\n")
      #expect(terminal.echoes)
    }

    @Test func longLineEndsAtItsLimit() async throws {
      let terminal = try PseudoTerminal()
      let path = terminal.path
      let asked = Task { try await SecretPrompt.ask("Secret: ", at: path) }
      _ = await terminal.shown(until: ": ")
      // At its end-of-file character, a terminal delivers its input without a line end.
      for _ in 1...5 { try terminal.type(String(repeating: "x", count: 1000) + "\u{4}") }
      #expect(try await asked.value.reveal() == String(repeating: "x", count: 4096))
      #expect(terminal.echoes)
    }

    @Test func cancelledPromptRestoresTheEcho() async throws {
      let terminal = try PseudoTerminal()
      let path = terminal.path
      let asked = Task { try await SecretPrompt.ask("Secret: ", at: path) }
      _ = await terminal.shown(until: ": ")
      try terminal.type("half")
      asked.cancel()
      await #expect(throws: CancellationError.self) { try await asked.value }
      #expect(terminal.echoes)
    }

    @Test(arguments: [
      (
        "/nowhere/tty",
        "There is no terminal for the secret prompt. Use --client-secret-file or $ALMANAC_CLIENT_SECRET."
      ),
      ("/dev/null", "The terminal cannot hide the secret."),
    ])
    func promptNeedsATerminal(_ path: String, _ message: String) async throws {
      let error = await #expect(throws: (any Error).self) { try await SecretPrompt.ask("Secret: ", at: path) }
      #expect(error.map { "\($0)" }?.contains("\"\(message)\"") == true)
      #expect(error.map { AlmanacCLI.ExitStatus($0) } == .usage)
    }
  }
#endif
