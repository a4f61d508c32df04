// SPDX-License-Identifier: Apache-2.0

/// The demonstration of every system replaced by the package, over real HTTP, with a check of every statement.
struct SystemsDemo {
  /// A system replaced by the package, and its demonstration.
  struct System: Sendable {
    let name: String
    /// The code required in the system's document.
    let replaces: String
    let run: @Sendable (Context, inout Checks) async throws -> Void
  }

  /// A system's result in the JSON output.
  private struct Row: Encodable {
    let system: String
    let replaces: String
    let held: [String]
    let failure: String?
  }

  static let systems: [System] = [.grantRefreshRevoke, .fourVerbs, .callAnyAPI, .otherProvider, .appFlip]

  /// Runs every system, even after a failure.
  ///
  /// - Throws: ``DemoFailure`` if a statement did not hold, or `CancellationError`.
  static func run(_ context: Context) async throws {
    let say = { (text: TerminalText) in if !context.isJSON { context.terminal.line(text) } }
    var rows: [Row] = []
    for system in systems {
      say("\n\(context.terminal.bold(system.name))\n  replaces: \(system.replaces)")
      var checks = Checks { say("  ✓ \($0)") }
      var failure: String?
      do {
        try await system.run(context, &checks)
      } catch let error as CancellationError {
        throw error
      } catch {
        failure = String(describing: error)
        say("  ✗ \(String(describing: error))")
      }
      rows.append(Row(system: system.name, replaces: system.replaces, held: checks.held, failure: failure))
    }
    let (held, failed) = (rows.reduce(0) { $0 + $1.held.count }, rows.filter { $0.failure != nil })
    if context.isJSON { try context.writeJSON(rows) }
    say("\n\(rows.count - failed.count) of \(rows.count) systems passed, with \(held) statements checked.")
    if let first = failed.first { throw DemoFailure("\(first.system) passes") }
  }
}

/// The statements about one system, each checked before it is shown.
struct Checks {
  private let show: (String) -> Void
  /// The true statements, in order.
  private(set) var held: [String] = []

  /// - Parameter show: Called with every true statement.
  init(show: @escaping (String) -> Void) { self.show = show }

  /// Checks a statement.
  ///
  /// - Throws: ``DemoFailure`` if it does not hold.
  mutating func expect(_ holds: Bool, _ statement: String) throws {
    guard holds else { throw DemoFailure(statement) }
    held.append(statement)
    show(statement)
  }

  /// Checks that `work` throws an error for which `isExpected` returns `true`.
  ///
  /// - Throws: ``DemoFailure`` if nothing or another error is thrown, or `CancellationError`.
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
