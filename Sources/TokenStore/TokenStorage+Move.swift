// SPDX-License-Identifier: Apache-2.0

extension TokenStorage {
  /// Renames a record.
  ///
  /// Both names are locked meanwhile. The record is written under its new name before the old one is removed, so it is never
  /// lost. A later call finishes a move that was interrupted.
  ///
  /// - Parameters:
  ///   - account: The current name of the record. If it does not exist, nothing happens.
  ///   - name: The new name. If another record has this name, nothing happens.
  /// - Returns: Whether the record was moved.
  /// - Throws: ``TokenStorageError``; `CancellationError`.
  @discardableResult
  public func move(_ account: String, to name: String) async throws -> Bool {
    guard !account.utf8.elementsEqual(name.utf8) else { return false }
    // A fixed order, so that two moves never wait for each other.
    let isFirst = account.utf8.lexicographicallyPrecedes(name.utf8)
    return try await withExclusiveAccess(to: isFirst ? account : name) { first in
      try await withExclusiveAccess(to: isFirst ? name : account) { second in
        let (source, target) = isFirst ? (first, second) : (second, first)
        guard let token = try await source.read() else { return false }
        if let present = try await target.read() {
          guard present == token else { return false }
        } else {
          try await target.write(token)
        }
        try await source.write(nil)
        return true
      }
    }
  }
}
