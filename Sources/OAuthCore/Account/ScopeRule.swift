// SPDX-License-Identifier: Apache-2.0

/// The rule by which granted scopes cover another one: the seam for what only a server's documentation says.
///
/// Servers grant scopes under other names than were requested, and a wide scope includes narrow ones. ``exact`` knows neither.
/// Module Almanac has the rule for Google.
///
/// ```swift
/// let rule = ScopeRule { scope, granted in
///   granted.contains(scope) || granted.contains(scope.replacing(".readonly", with: ""))
/// }
/// ```
public struct ScopeRule: Sendable {
  private let covers: @Sendable (_ scope: String, _ granted: [String]) -> Bool

  /// Creates a rule.
  ///
  /// - Parameter covers: Returns whether a token with the granted scopes has the scope too. It is called from any task.
  public init(_ covers: @escaping @Sendable (_ scope: String, _ granted: [String]) -> Bool) { self.covers = covers }

  /// A scope is covered if it was granted under its own name.
  public static let exact = ScopeRule { scope, granted in granted.contains(scope) }

  /// Returns whether a token with the scopes `granted` has `scope` too.
  public func isCovered(_ scope: String, by granted: [String]) -> Bool { covers(scope, granted) }
}

extension Array<String> {
  /// The scopes with those of `others` that are not among them, in their order.
  func appending(_ others: [String]) -> [String] {
    others.reduce(into: self) { if !$0.contains($1) { $0.append($1) } }
  }
}
