// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Functions for running a program and reading its output.
  ///
  /// Call them on a thread that may block. See ``BlockingWork``.
  package enum ProgramRun {
    /// The result of a run.
    package enum Result: Sendable {
      /// The program ended.
      ///
      /// If a signal ended it, the status is 128 or more.
      case ended(status: Int, output: [UInt8])
      /// The program could not be started.
      case notStarted
      /// The program wrote more than the limit, and was killed.
      case tooMuchOutput
    }

    /// Runs a program to its end, without input, and reads its standard output.
    ///
    /// After the program has ended, was cancelled or wrote too much, the remaining processes of its process group are
    /// killed.
    ///
    /// - Parameters:
    ///   - program: The program, by its path or its name in `PATH`.
    ///   - arguments: Its arguments.
    ///   - environment: Its environment variables.
    ///   - limit: The maximum size of its output, in bytes.
    ///   - isCancelled: A closure that returns whether to kill the program.
    /// - Throws: `CancellationError`.
    package static func run(
      _ program: String, _ arguments: [String], environment: [String: String], upTo limit: Int, isCancelled: () -> Bool
    ) throws -> Result {
      guard let ends = Pipe.ends() else { return .notStarted }
      let reading = FileDescriptor(owning: ends.read)
      reading.setNonBlocking()
      guard let child = start(program, arguments, environment, output: FileDescriptor(owning: ends.write)) else {
        return .notStarted
      }
      let output = Swift.Result { try outputOfChild(child, from: reading.number, upTo: limit, isCancelled) }
      // The child's identifier is also that of its group. The system does not reuse it before the child is waited for.
      _ = kill(-child, SIGKILL)
      let status = ProgramStart.wait(for: child)
      return try output.get().map { .ended(status: status, output: $0) } ?? .tooMuchOutput
    }

    /// Starts the program, and closes `output` here, so the end of the program is the end of its output.
    private static func start(
      _ program: String, _ arguments: [String], _ environment: [String: String], output: consuming FileDescriptor
    ) -> Int32? {
      ProgramStart.start(program, arguments, environment: environment, output: output.number)
    }

    /// Returns the child's output after it has ended, or `nil` if it is too much.
    private static func outputOfChild(
      _ child: Int32, from descriptor: Int32, upTo limit: Int, _ isCancelled: () -> Bool
    ) throws -> [UInt8]? {
      var output: [UInt8] = []
      while true {
        if isCancelled() { throw CancellationError() }
        // Checked before reading: all that the child wrote before its end is then read.
        let hasEnded = hasEnded(child)
        let isAtEnd = read(descriptor, into: &output)
        guard output.count <= limit else { return nil }
        if hasEnded { return output }
        pause(until: isAtEnd ? nil : descriptor)
      }
    }

    /// Reads the available bytes, up to 64 KiB, and returns whether the output has ended.
    private static func read(_ descriptor: Int32, into output: inout [UInt8]) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      // The pointer and the count are the buffer's own.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe readBytes(descriptor, $0) }
      if count > 0 { output += buffer[..<count] }
      return count == 0
    }

    /// Calls read(2), which writes no more than the count of `buffer`.
    private static func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      #if canImport(Darwin)
        unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }

    /// Waits until there is something to read, for at most 50 milliseconds.
    private static func pause(until descriptor: Int32?) {
      // One entry, a local; an entry with a negative descriptor is ignored.
      var ready = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&ready, 1, 50)
    }

    /// Whether the child has ended, without waiting for it.
    private static func hasEnded(_ child: Int32) -> Bool {
      var info = unsafe siginfo_t()
      // A local, whose first member stays zero unless the child has ended.
      guard unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno == ECHILD }
      return unsafe info.si_signo != 0
    }
  }
#endif
