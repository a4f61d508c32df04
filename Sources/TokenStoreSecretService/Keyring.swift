// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import Support
import TokenStore

/// The items of one service in the default collection of the user's keyring.
///
/// Each operation opens its own connection, so the restart of the keyring affects only the operations in progress. Only
/// ``unlock(within:creatingCollection:)`` requests a prompt. A keyring may show one before it removes an item.
struct Keyring: KeychainItems {
  /// The maximum duration of an operation without a prompt.
  private static let timeLimit = Duration.seconds(25)
  /// The maximum number of attempts if another process removes the item during an operation.
  private static let attemptLimit = 10

  let service: String
  var kind: String { "keyring item" }

  func names() throws -> [String] {
    try withCollection { collection in
      guard let collection else { return [] }
      return try collection.items(service: service).compactMap(collection.name)
    }
  }

  func read(_ name: String) throws -> Data? {
    try withCollection { collection in
      guard let collection, let item = try collection.items(service: service, name: name).first
      else {
        return nil
      }
      return try collection.secret(of: item).data
    }
  }

  func write(_ data: Data, to name: String) throws {
    try withCollection { collection in
      guard let collection else { throw TokenStorageError.noCollection }
      try collection.write(data, service: service, name: name)
    }
  }

  func rename(_ name: String, to newName: String) throws {
    try withCollection { collection in
      for item in try collection?.items(service: service, name: name) ?? [] {
        try collection?.rename(item, service: service, name: newName)
      }
    }
  }

  func remove(_ name: String) throws {
    try withCollection { collection in try collection?.remove(service: service, name: name) }
  }

  /// Unlocks the default collection, with the keyring's prompt if necessary.
  ///
  /// A cancellation of the task closes the prompt.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError`.
  func unlock(within limit: Duration, creatingCollection: Bool) async throws {
    // The keyring would use the name up to the NUL, which can be that of another program.
    guard !service.utf8.contains(0) else {
      throw TokenStorageError(.unavailable, "The service name contains a NUL character. Use another name.")
    }
    let cancellation = KeyringCancellation()
    try await withTaskCancellationHandler {
      try await BlockingWork.run {
        try unlock(within: limit, creatingCollection: creatingCollection, cancellation)
      }
    } onCancel: {
      cancellation.cancel(.task)
    }
  }

  /// Unlocks the default collection, with the keyring's prompt if necessary.
  ///
  /// Blocks until the user answers the prompt.
  ///
  /// - Parameters:
  ///   - limit: The maximum duration.
  ///   - creatingCollection: Whether to create a missing default collection, which shows a prompt too.
  ///   - cancellation: The cancellation of the call.
  /// - Throws: `TokenStorageError`; `CancellationError`.
  private func unlock(within limit: Duration, creatingCollection: Bool, _ cancellation: KeyringCancellation)
    throws
  {
    try KeyringOperation.run(cancellation, within: limit) { operation in
      let connection = try KeyringConnection(operation, hasSession: false)
      // libsecret's collections do not retain their connection.
      try withExtendedLifetime(connection) {
        if let collection = try connection.defaultCollection() {
          if collection.isLocked { try connection.unlock(collection) }
        } else if creatingCollection {
          try connection.createDefaultCollection()
        }
      }
    }
  }

  /// Runs `body` with the unlocked default collection, or `nil` if there is none.
  ///
  /// Repeats `body` if another process removes its item meanwhile.
  private func withCollection<Output>(_ body: (KeyringCollection?) throws -> Output) throws
    -> Output
  {
    try KeyringOperation.run(KeyringCancellation(), within: Self.timeLimit) { operation in
      let connection = try KeyringConnection(operation, hasSession: true)
      defer { connection.close() }
      return try withExtendedLifetime(connection) {
        var attempt = 1
        while true {
          do {
            let collection = try connection.defaultCollection()
            if collection?.isLocked == true { throw TokenStorageError.keyringLocked }
            return try body(collection)
          } catch let fault as KeyringFault
            where fault.kind == .itemGone && attempt < Self.attemptLimit
          {
            attempt += 1
          }
        }
      }
    }
  }
}
