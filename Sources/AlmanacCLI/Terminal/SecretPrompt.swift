// SPDX-License-Identifier: Apache-2.0

import Support
package import TokenStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A prompt for a secret at the terminal, without echo.
package enum SecretPrompt {
  /// Asks for a secret and reads a line without echo.
  ///
  /// - Parameters:
  ///   - prompt: The text to show.
  ///   - path: The path of the terminal. Defaults to this process's terminal.
  /// - Throws: ``UsageError`` if there is no terminal or no input, or `CancellationError`, after restoring the echo,
  ///   when the current task is cancelled.
  package static func ask(_ prompt: String, at path: String = "/dev/tty") async throws -> Secret {
    try await BlockingWork.runCancellable { try readLine(prompt, at: path, isCancelled: $0) }
  }

  private static func readLine(_ prompt: String, at path: String, isCancelled: () -> Bool) throws -> Secret {
    // Safe: open(2) reads the path, and keeps no pointer to it.
    let terminal = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw UsageError(
        "There is no terminal for the secret prompt. Use --client-secret-file or $ALMANAC_CLIENT_SECRET.")
    }
    defer { close(terminal) }
    var settings = termios()

    // Safe: these functions read or write one `termios` during the call.
    guard unsafe tcgetattr(terminal, &settings) == 0 else {
      throw UsageError("The terminal cannot hide the secret. Use --client-secret-file or $ALMANAC_CLIENT_SECRET.")
    }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
      throw UsageError("The terminal cannot hide the secret. Use --client-secret-file or $ALMANAC_CLIENT_SECRET.")
    }
    defer {
      unsafe _ = tcsetattr(terminal, TCSAFLUSH, &settings)
      _ = writeAll([UInt8(ascii: "\n")], to: terminal)
    }
    _ = writeAll(Array(prompt.utf8), to: terminal)

    var line: [UInt8] = []
    while line.count < 4096 {
      if isCancelled() { throw CancellationError() }
      var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&ready, 1, 100) == 1 else { continue }
      var byte: UInt8 = 0
      // One byte at a time, so nothing after the line is read. `byte` outlives the call.
      guard unsafe read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    guard !line.isEmpty else { throw UsageError("No secret was entered.") }
    return Secret(String(decoding: line, as: UTF8.self))
  }
}
