// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Support

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
  /// What the signals write to and ``forward(to:)`` reads from.
  ///
  /// It is made before the first handler is there.
  private static let pipe = Pipe()
  private static let writeEnd = pipe?.writeEnd.number ?? -1

  /// Keeps the signals from ending the program.
  ///
  /// One that comes before ``forward(to:)`` waits for it.
  static func catchAll() {
    guard writeEnd >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in
        // Nothing but a write is safe here, and what was interrupted must not see its error number.
        let interrupted = errno
        var byte: UInt8 = 0
        unsafe _ = write(Signals.writeEnd, &byte, 1)
        errno = interrupted
      }
    }
  }

  /// Calls `handler` for every signal from now on, and for one that came already.
  static func forward(to handler: @escaping @Sendable () -> Void) {
    // The wait has a thread of its own until the program ends.
    DispatchQueue(label: "signals").async {
      guard let readEnd = pipe?.readEnd.number else { return }
      var byte: UInt8 = 0
      // `byte` outlives the call that fills it.
      while unsafe read(readEnd, &byte, 1) == 1 { handler() }
    }
  }
}
