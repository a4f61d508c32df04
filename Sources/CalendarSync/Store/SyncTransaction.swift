// SPDX-License-Identifier: Apache-2.0

/// The content of one page and the state after it, which a store applies together or not at all.
public struct SyncTransaction: Sendable, Hashable {
  /// A change of one resource.
  public enum Step: Sendable, Hashable {
    /// Stores a resource, in place of the one with the same identifier.
    case put(SyncResource)
    /// Removes the resource with this identifier, if it exists, and every instance of it.
    case remove(String)
  }

  /// The account.
  public var account: String
  /// The collection.
  public var collection: SyncCollection
  /// The state that the store must still have, or `nil` for none.
  public var expected: SyncState?
  /// The state afterwards.
  ///
  /// `nil` removes the collection with all resources.
  public var state: SyncState?
  /// The changes, in the order in which they are applied.
  public var steps: [Step]
  /// Whether resources that the current full pass has not stored are removed after the steps.
  public var removesUnseen: Bool

  /// Creates a transaction.
  public init(
    account: String, collection: SyncCollection, expected: SyncState?, state: SyncState?, steps: [Step] = [],
    removesUnseen: Bool = false
  ) {
    self.account = account
    self.collection = collection
    self.expected = expected
    self.state = state
    self.steps = steps
    self.removesUnseen = removesUnseen
  }
}

/// A change of a stored resource.
public struct SyncChange: Sendable, Hashable {
  /// The kind of a change.
  public enum Kind: Sendable, Hashable {
    /// The resource is new.
    case inserted
    /// The resource has other content.
    case updated
    /// The resource was removed.
    case removed
  }

  /// The collection.
  public let collection: SyncCollection
  /// The identifier of the resource.
  public let id: String
  /// The resource before the change, or `nil` if it is new.
  public let before: SyncResource?
  /// The resource after the change, or `nil` if it was removed.
  public let after: SyncResource?

  /// Creates a change, or returns `nil` if both resources are equal.
  public init?(_ id: String, in collection: SyncCollection, from before: SyncResource?, to after: SyncResource?) {
    guard before != after else { return nil }
    self.collection = collection
    self.id = id
    self.before = before
    self.after = after
  }

  /// The kind of the change.
  public var kind: Kind {
    if before == nil { return .inserted }
    return after == nil ? .removed : .updated
  }
}

extension SyncChange: CustomStringConvertible, CustomReflectable {
  /// The kind of the change and of the collection, without any identifier.
  public var description: String { "\(kind) in \(collection)" }

  /// A mirror without identifiers and content.
  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}
