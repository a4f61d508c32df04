// SPDX-License-Identifier: Apache-2.0

/// Comparison whose duration tells nothing about where two values differ.
package enum ConstantTime {
  /// Returns whether both strings hold the same UTF-8.
  ///
  /// Only a difference in length shows in the time taken.
  @inline(never)
  package static func equal(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { unsafe difference |= left[index] ^ right[index] }
        return difference == 0
      }
    }
  }
}
