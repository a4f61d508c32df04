// SPDX-License-Identifier: Apache-2.0

/// A job that cannot be done: a fault of the rows, not of the library.
struct StepError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
