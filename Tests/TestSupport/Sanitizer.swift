// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The sanitizer that the tests run under.
public enum Sanitizer {
  /// Whether there is one, which keeps freed memory or shadows of it, so that bounds of memory cannot hold.
  public static let isActive = ProcessInfo.processInfo.environment["ALMANAC_SANITIZER"] != nil

  /// What a program that is started with an environment of its own needs of this one's to run under the same sanitizer.
  package static let options = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }
}
