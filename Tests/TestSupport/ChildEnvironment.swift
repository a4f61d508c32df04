// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The environment of programs that tests start.
package enum ChildEnvironment {
  /// Returns the environment of a program.
  ///
  /// It has what a sanitizer needs. It has no place for a coverage profile: a program that is killed leaves a broken one, which
  /// keeps all others from being merged.
  ///
  /// - Parameter own: The variables of the program. Defaults to those of this process.
  package static func make(_ own: [String: String]? = nil) -> [String: String] {
    (own ?? ProcessInfo.processInfo.environment)
      .merging(Sanitizer.options) { $1 }
      .merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
  }
}
