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

/// The handling of SIGINT, SIGTERM and SIGHUP.
///
/// The signals call a handler instead of ending the program. The program can then clean up.
enum Signals {
  /// The pipe from the signal handlers to ``forward(to:)``.
  ///
  /// It is created before the first signal handler is installed.
  private static let pipe = Pipe()
  private static let writeEnd = pipe?.writeEnd.number ?? -1

  /// Installs handlers, so the signals no longer end the program.
  ///
  /// A signal that arrives before ``forward(to:)`` is called waits for the call.
  static func catchAll() {
    guard writeEnd >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in
        // Only async-signal-safe calls are allowed here, and the interrupted code must keep its `errno`.
        let interrupted = errno
        var byte: UInt8 = 0
        unsafe _ = write(Signals.writeEnd, &byte, 1)
        errno = interrupted
      }
    }
  }

  /// Calls `handler` for every signal, including those already received.
  static func forward(to handler: @escaping @Sendable () -> Void) {
    // This thread waits until the program ends.
    DispatchQueue(label: "signals").async {
      guard let readEnd = pipe?.readEnd.number else { return }
      var byte: UInt8 = 0
      // `byte` outlives the call that fills it.
      while unsafe read(readEnd, &byte, 1) == 1 { handler() }
    }
  }
}
