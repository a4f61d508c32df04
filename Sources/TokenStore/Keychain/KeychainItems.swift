// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation

/// The generic-password items of one service in a keychain, by name.
///
/// This protocol separates the storage's rules from the system. All calls block and throw ``TokenStorageError``. A call
/// that throws has changed nothing.
package protocol KeychainItems: Sendable {
  /// The common name of the items, for display.
  var service: String { get }
  /// The kind of the items, for display, such as "keychain item".
  var kind: String { get }

  /// Returns the names of all items.
  func names() throws -> [String]

  /// Returns an item's content, or `nil` if there is no such item.
  func read(_ name: String) throws -> Data?

  /// Adds an item, or replaces its content in one step.
  func write(_ data: Data, to name: String) throws

  /// Renames an item, in one step, to an unused name.
  func rename(_ name: String, to newName: String) throws

  /// Removes an item, if it exists.
  func remove(_ name: String) throws
}

extension KeychainItems {
  package var kind: String { "keychain item" }
}
