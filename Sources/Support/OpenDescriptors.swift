// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if !canImport(Darwin)
  import CLinux
#endif

/// The descriptors that this process has open.
package enum OpenDescriptors {
  /// Their numbers; none where the system does not list them.
  ///
  /// One of them, that of the list itself, is closed already.
  package static var all: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []).compactMap { Int32($0) }
  }

  #if !canImport(Darwin)
    /// Makes a new program close all descriptors from one on.
    ///
    /// - Parameter actions: The `posix_spawn_file_actions_t` of the program.
    /// - Returns: Whether the C library can.
    static func close(from first: Int32, by actions: UnsafeMutableRawPointer) -> Bool {
      unsafe almanac_add_close_from(actions, first) == 0
    }
  #endif
}
