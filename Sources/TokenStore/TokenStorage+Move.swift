// SPDX-License-Identifier: Apache-2.0

extension TokenStorage {
  /// Gives a record another name.
  ///
  /// Both names are held meanwhile. The record is written under its new name before the old one is removed: it is never lost, and a move that
  /// was cut off is finished by the next.
  ///
  /// - Parameters:
  ///   - account: The name that the record has. If there is none of this name, nothing happens.
  ///   - name: The name that it gets. If another record has this name, nothing happens.
  /// - Returns: Whether the record was moved.
  /// - Throws: ``TokenStorageError``; `CancellationError`.
  @discardableResult
  public func move(_ account: String, to name: String) async throws -> Bool {
    guard !account.utf8.elementsEqual(name.utf8) else { return false }
    // In one order, so that two moves never wait for each other.
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
