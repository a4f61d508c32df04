// SPDX-License-Identifier: Apache-2.0

/// The user did not confirm a write.
struct DeclinedError: Error, CustomStringConvertible {
  var description: String { "Nothing was changed: you did not confirm it." }
}
