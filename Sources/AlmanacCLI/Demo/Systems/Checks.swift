// SPDX-License-Identifier: Apache-2.0

/// The statements of one row of the demonstration, each checked before it is shown.
struct Checks {
  private let show: (String) -> Void
  /// What held, in order.
  private(set) var held: [String] = []

  /// - Parameter show: Called with every statement that held.
  init(show: @escaping (String) -> Void) { self.show = show }

  /// Checks a statement.
  ///
  /// - Throws: ``DemoFailure`` if it does not hold.
  mutating func expect(_ holds: Bool, _ statement: String) throws {
    guard holds else { throw DemoFailure(statement) }
    held.append(statement)
    show(statement)
  }

  /// Checks that `work` fails with an error for which `isExpected` holds.
  ///
  /// - Throws: ``DemoFailure`` if nothing or another error is thrown; `CancellationError`.
  mutating func expect<Failure: Error>(
    _ statement: String, fails work: () async throws -> Void, with isExpected: (Failure) -> Bool
  ) async throws {
    do {
      try await work()
    } catch let error as Failure where isExpected(error) {
      return try expect(true, statement)
    } catch let error as CancellationError {
      throw error
    } catch {}
    throw DemoFailure(statement)
  }
}
