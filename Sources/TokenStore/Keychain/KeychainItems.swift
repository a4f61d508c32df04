// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The generic-password items of one service in a keychain, by name: the seam between the storage's rules and the system.
///
/// All calls block and throw ``TokenStorageError``; a call that throws has changed nothing.
package protocol KeychainItems: Sendable {
  /// What the items have in common, to be shown.
  var service: String { get }

  /// Returns the names of all items.
  func names() throws -> [String]

  /// Returns an item's content, or `nil` if there is no such item.
  func read(_ name: String) throws -> Data?

  /// Adds an item, or replaces its content in one step.
  func write(_ data: Data, to name: String) throws

  /// Renames an item, in one step, to a name that none has.
  func rename(_ name: String, to newName: String) throws

  /// Removes an item if there is one.
  func remove(_ name: String) throws
}
