// SPDX-License-Identifier: Apache-2.0

package import Testing

/// An operation that fails, with the code of its error and the remedy that the message names: a row of a table of errors.
///
/// Every secret of the operation contains `s3cret`.
package struct Failure<Code: Sendable & Equatable>: Sendable, CustomTestStringConvertible {
  /// The condition under which the operation fails, which names the row.
  package let testDescription: String
  package let code: Code
  /// The part of the message that states the remedy, or names the cause.
  package let remedy: String
  package let body: @Sendable () async throws -> Void

  package init(
    _ condition: String, _ code: Code, _ remedy: String, _ body: @escaping @Sendable () async throws -> Void
  ) {
    testDescription = condition
    self.code = code
    self.remedy = remedy
    self.body = body
  }

  /// Checks the code of an error and its message: whole sentences that name the remedy and no secret.
  package func expect(_ code: Code, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(code == self.code, "\(message)", sourceLocation: sourceLocation)
    #expect(message.contains(remedy), "\(message)", sourceLocation: sourceLocation)
    #expect(message.hasSuffix("."), "\(message)", sourceLocation: sourceLocation)
    #expect(!message.contains("s3cret"), sourceLocation: sourceLocation)
  }
}
