// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A pseudoterminal, with its controlling side as keyboard and screen.
  final class PseudoTerminal: Sendable {
    let path: String
    private let wire: Int32
    private let line: Int32

    /// - Parameter columns: The width.
    init(columns: Int = 80) throws {
      // Safe: open(2) keeps no pointer to the path, and ioctl(2) reads and writes one number during the call.
      wire = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, UInt32) = (0, 0)
      let (unlock, name): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
      let isUnlocked = unsafe ioctl(wire, unlock, &lock) == 0
      let isNamed = unsafe ioctl(wire, name, &number) == 0
      try #require(wire >= 0 && isUnlocked && isNamed)
      path = "/dev/pts/\(number)"
      line = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      // Safe: the call reads one `winsize`.
      let isSized = unsafe ioctl(line, UInt(TIOCSWINSZ), &size) == 0
      try #require(line >= 0 && isSized)
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
          while !shown.reversed().starts(with: end.utf8.reversed()), unsafe poll(&ready, 1, 30_000) == 1 {
            var byte: UInt8 = 0
            guard unsafe read(wire, &byte, 1) == 1 else { break }
            shown.append(byte)
          }
          continuation.resume(returning: String(decoding: shown, as: UTF8.self))
        }
      }
    }

    /// Runs a built program whose three standard streams are this terminal.
    ///
    /// - Returns: Everything that the program wrote, with the line ends of a terminal.
    func run(_ program: String, _ arguments: [String], environment: [String: String]) async throws -> String {
      let process = try ChildProcess(
        executable: try BuiltProgram.find(program), arguments, environment: environment, input: line, terminal: line)
      // The last line is the terminal's own, and shows that everything before it was read.
      let mark = "\u{4}end\u{4}"
      let end = FileHandle(fileDescriptor: line, closeOnDealloc: false)
      Task {
        _ = await process.exitStatus()
        try? end.write(contentsOf: Data(mark.utf8))
      }
      let shown = await shown(until: mark)
      return String(shown.dropLast(mark.count))
    }
  }
#endif
