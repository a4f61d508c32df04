/// What one row of the demonstration claims, each claim checked before it is made.
struct Claims {
  private let show: (String) -> Void
  /// What held, in order.
  private(set) var held: [String] = []

  /// - Parameter show: Called with every claim that held.
  init(show: @escaping (String) -> Void) { self.show = show }

  /// Checks a claim.
  ///
  /// - Throws: ``DemoFailure`` if it does not hold.
  mutating func check(_ holds: Bool, _ claim: String) throws {
    guard holds else { throw DemoFailure(claim) }
    held.append(claim)
    show(claim)
  }

  /// Checks that `work` fails with an error for which `isExpected` holds.
  ///
  /// - Throws: ``DemoFailure`` if nothing or another error is thrown; `CancellationError`.
  mutating func check<Failure: Error>(
    _ claim: String, fails work: () async throws -> Void, with isExpected: (Failure) -> Bool
  ) async throws {
    do {
      try await work()
    } catch let error as Failure where isExpected(error) {
      return try check(true, claim)
    } catch let error as CancellationError {
      throw error
    } catch {}
    throw DemoFailure(claim)
  }
}
