// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The sanitizer that the tests run under.
public enum Sanitizer {
  /// Whether there is one, which keeps freed memory or shadows of it, so that bounds of memory cannot hold.
  public static let isActive = ProcessInfo.processInfo.environment["ALMANAC_SANITIZER"] != nil

  /// The variables with which a program runs under the same sanitizer as this one.
  package static let options = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }
}
