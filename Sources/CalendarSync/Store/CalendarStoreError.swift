// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of reading or writing a store.
public struct CalendarStoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// Another synchronizer has changed the collection since its state was read.
    ///
    /// Nothing was changed. Read the state again.
    public static let superseded = Code(description: "superseded")
    /// The store cannot be reached, denies access, or has the format of a newer release.
    ///
    /// Nothing was changed.
    public static let unavailable = Code(description: "unavailable")
    /// There is no space left.
    ///
    /// Nothing was changed, and the store can still be read.
    public static let full = Code(description: "full")
    /// The store is damaged.
    public static let damaged = Code(description: "damaged")
    /// The server sent a resource that cannot be stored, such as one without an identifier.
    ///
    /// Nothing of its page was stored.
    public static let invalidResource = Code(description: "invalidResource")
  }

  /// The kind of fault.
  public let code: Code
  /// A message that states the failure and its remedy, never an identifier or content.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The ``message``.
  public var description: String { message }
}

extension CalendarStoreError {
  /// The error of a transaction whose expected state is not the stored one.
  public static let superseded = CalendarStoreError(
    .superseded, "Another synchronizer has changed the collection. Read its state again.")

  package static func missingID(in collection: SyncCollection) -> CalendarStoreError {
    CalendarStoreError(
      .invalidResource,
      "The server sent a resource of \(collection) without an identifier, so its page was not stored. Synchronize again later."
    )
  }
}

extension CalendarStoreError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
