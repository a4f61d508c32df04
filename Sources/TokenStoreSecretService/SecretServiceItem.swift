// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
import Support
public import TokenStore

/// A secret text in the keyring of a Linux desktop, such as the keys that seal the token files of a program.
///
/// ```swift
/// let item = SecretServiceItem(service: "com.example.agenda", name: "sealing-keys")
/// let text = try await item.read(orStoring: Secret(try SealingKey.generate("2026-11").reveal()))
/// let storage = SealedTokenStorage(
///   wrapping: FileTokenStorage(), keys: try SealingKeyRing(text: text), store: "com.example.agenda")
/// ```
///
/// A locked keyring shows its prompt, as for ``SecretServiceTokenStorage``. Every program of the user can read an unlocked keyring.
public struct SecretServiceItem: Sendable {
  private let keyring: Keyring
  private let name: String
  private let storage: SecretServiceTokenStorage
  private let promptLimit: Duration

  /// Creates a description of an item.
  ///
  /// - Parameters:
  ///   - service: The attribute `service` of the item. Use one that no ``SecretServiceTokenStorage`` uses.
  ///   - name: The attribute `name` of the item.
  ///   - lockDirectory: The directory of the lock file, as a file URL. Defaults to the directory of ``SecretServiceTokenStorage``.
  ///   - promptLimit: The maximum time that the keyring's prompt is shown, up to a year. Defaults to two minutes.
  public init(service: String, name: String, lockDirectory: URL? = nil, promptLimit: Duration = .seconds(120)) {
    keyring = Keyring(service: service)
    self.name = name
    storage = SecretServiceTokenStorage(service: service, lockDirectory: lockDirectory, promptLimit: promptLimit)
    self.promptLimit = promptLimit
  }

  /// Unlocks the keyring if necessary, and reads the text.
  ///
  /// - Returns: The text, or `nil` if the item does not exist.
  /// - Throws: `TokenStorageError`; `CancellationError` if the task is cancelled while the keyring is locked.
  public func read() async throws -> Secret? {
    try await keyring.unlock(within: promptLimit, creatingCollection: false)
    return try await BlockingWork.run { try stored() }
  }

  /// Unlocks the keyring if necessary, stores `text` if the item does not exist, and returns the stored text.
  ///
  /// All programs that call this at the same time get the text that one of them has stored.
  ///
  /// - Parameter text: The text of a new item.
  /// - Throws: `TokenStorageError`; `CancellationError` if the task is cancelled while it waits; any error of `text`.
  public func read(orStoring text: @autoclosure @Sendable () throws -> Secret) async throws -> Secret {
    try await storage.withExclusiveAccess(to: name) { _ in
      if let stored = try await BlockingWork.run({ try stored() }) { return stored }
      let new = try text()
      try await BlockingWork.run { try keyring.write(Data(new.reveal().utf8), to: name) }
      return new
    }
  }

  private func stored() throws -> Secret? {
    guard !name.utf8.contains(0) else {
      throw TokenStorageError(.unavailable, "The item's name contains a NUL character. Use another name.")
    }
    guard let data = try keyring.read(name) else { return nil }
    guard let text = String(data: data, encoding: .utf8) else {
      throw TokenStorageError(
        .corrupted,
        "The keyring item \(name) of \(keyring.service) is not text. Remove it, or restore it from a backup.")
    }
    return Secret(text)
  }
}

extension SecretServiceItem: CustomStringConvertible {
  /// The type's name, the service and the item's name.
  public var description: String { "SecretServiceItem(\(keyring.service), \(name))" }
}
