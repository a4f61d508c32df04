// SPDX-License-Identifier: Apache-2.0

extension TransportError {
  /// Runs what a request needs before it can be sent, such as a request for a token.
  ///
  /// - Throws: What `body` throws. A ``TransportError`` says that it is not the fault of the request itself, which was not sent.
  package nonisolated(nonsending) static func preparing<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch var error as TransportError {
      error.isOfPreparation = true
      throw error
    }
  }
}
