// SPDX-License-Identifier: Apache-2.0

/// Comparison whose duration tells nothing about where two values differ.
package enum ConstantTime {
  /// Returns whether both strings hold the same UTF-8.
  ///
  /// Only a difference in length shows in the time taken.
  @inline(never)
  package static func equal(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
  }
}
