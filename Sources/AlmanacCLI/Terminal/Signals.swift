import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ctrl-C, a closed terminal and `kill`, as a call instead of the program's end, so that ports are closed and nothing is left
/// half-written.
enum Signals {
  /// What the signals write to and ``forward(to:)`` reads from. It is made before the first handler is there.
  private static let pipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    // The call fills the two numbers of the array, which outlives it.
    guard unsafe systemPipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Keeps the signals from ending the program. One that comes before ``forward(to:)`` waits for it.
  static func catchAll() {
    guard pipe.write >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in
        // Nothing but a write is safe here, and what was interrupted must not see its error number.
        let interrupted = errno
        var byte: UInt8 = 0
        unsafe _ = write(Signals.pipe.write, &byte, 1)
        errno = interrupted
      }
    }
  }

  /// Calls `handler` for every signal from now on, and for one that came already.
  static func forward(to handler: @escaping @Sendable () -> Void) {
    // The wait has a thread of its own until the program ends.
    DispatchQueue(label: "signals").async {
      var byte: UInt8 = 0
      // `byte` outlives the call that fills it.
      while unsafe read(pipe.read, &byte, 1) == 1 { handler() }
    }
  }
}

// Under a name that the property above does not hide.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
  unsafe pipe(ends)
}
