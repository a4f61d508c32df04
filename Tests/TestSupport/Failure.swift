// SPDX-License-Identifier: Apache-2.0

import Testing

/// An operation that fails, with the code and the whole message of its error: a row of a table of errors.
package struct Failure<Code: Sendable & Equatable>: Sendable, CustomTestStringConvertible {
  /// The condition under which the operation fails, which names the row.
  package let testDescription: String
  package let code: Code
  package let message: String
  package let body: @Sendable () async throws -> Void

  package init(
    _ condition: String, _ code: Code, _ message: String, _ body: @escaping @Sendable () async throws -> Void
  ) {
    testDescription = condition
    self.code = code
    self.message = message
    self.body = body
  }
}
