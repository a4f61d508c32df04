// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter

/// This program under callgrind, which calls our implementation of each row.
///
/// All tasks run on the main thread, so two runs execute the same instructions.
package enum Counting {
  /// The argument that starts it.
  static let argument = "--counting"

  /// The place of the instructions, which callgrind writes to the row's profile.
  static let instructions = "instructions"

  package static let isActive = CommandLine.arguments.contains(argument)

  /// Calls our implementation for callgrind, and returns the line of its count without the instructions.
  static func line(_ row: Row) throws -> String {
    // The calls before the instrumentation also initialize static values.
    guard let memory = row.ours.memory() else {
      throw Failure("The C library does not let allocations be counted. Count on Linux with glibc.")
    }
    callgrind_start()
    Sink.keep(row.ours.run())
    callgrind_stop()
    return "\(row.path) | \(row.name) | \(instructions) | \(memory.allocations)"
  }
}
