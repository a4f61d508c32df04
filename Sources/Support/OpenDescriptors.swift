// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

#if !canImport(Darwin)
  import CLinux
#endif

/// The open descriptors of this process.
package enum OpenDescriptors {
  /// The numbers of the open descriptors, or empty if the system does not list them.
  ///
  /// One of the numbers belongs to the descriptor opened for reading the list. It is already closed.
  package static var all: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []).compactMap { Int32($0) }
  }

  #if !canImport(Darwin)
    /// Makes a new program close all descriptors from `first` on.
    ///
    /// - Parameter actions: The `posix_spawn_file_actions_t` of the program.
    /// - Returns: Whether the C library supports this.
    static func close(from first: Int32, by actions: UnsafeMutableRawPointer) -> Bool {
      unsafe almanac_add_close_from(actions, first) == 0
    }
  #endif
}
