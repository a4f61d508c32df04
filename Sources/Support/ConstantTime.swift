// SPDX-License-Identifier: Apache-2.0

/// A comparison whose duration does not reveal where two values differ.
package enum ConstantTime {
  /// Returns whether both strings contain the same UTF-8.
  ///
  /// The duration reveals only a difference in length.
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
