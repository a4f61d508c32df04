// SPDX-License-Identifier: Apache-2.0

/// The demonstration of every system that the package replaces: each does over real HTTP what its document wanted, and
/// every statement is checked.
struct SystemsDemo {
  /// A system, and what is seen of it.
  struct System: Sendable {
    let name: String
    /// What its document had a developer write.
    let replaces: String
    let run: @Sendable (Context, inout Checks) async throws -> Void
  }

  /// One row, as the JSON output has it.
  private struct Row: Encodable {
    let system: String
    let replaces: String
    let held: [String]
    let failure: String?
  }

  static let systems: [System] = [.grantRefreshRevoke, .fourVerbs, .callAnyAPI, .otherProvider, .appFlip]

  /// Runs every row, also those after one that failed.
  ///
  /// - Throws: ``DemoFailure`` if a statement did not hold; `CancellationError`.
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
    say("\n\(rows.count - failed.count) of \(rows.count) systems do what they should; \(held) statements held.")
    if let first = failed.first { throw DemoFailure("\(first.system) does what it should") }
  }
}
