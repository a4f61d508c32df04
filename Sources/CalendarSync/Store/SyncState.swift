// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The progress of a collection's synchronization, which a store keeps beside the resources.
///
/// A **full pass** reads every page of the collection, and an **incremental pass** the changes since a sync token. The state is stored with
/// each page, so a pass continues where it was interrupted. The tokens can contain an e-mail address: no description shows them.
public struct SyncState: Sendable, Hashable, Codable {
  /// The parameters of the requests, in a form that changes whenever the server would reject the tokens.
  public var query: String
  /// The token of the last complete pass, or `nil` during a full pass.
  public var syncToken: String?
  /// The token of the next page of the current pass, or `nil` before its first page.
  public var pageToken: String?
  /// The number of the current full pass, or of the last one.
  ///
  /// Every resource is stored with the number of the full pass at that time.
  public var fullPass: Int
  /// The time of the end of the last complete pass, or `nil` before the first.
  public var completed: Timestamp?

  /// Creates a state.
  public init(
    query: String, syncToken: String? = nil, pageToken: String? = nil, fullPass: Int = 1, completed: Timestamp? = nil
  ) {
    self.query = query
    self.syncToken = syncToken
    self.pageToken = pageToken
    self.fullPass = fullPass
    self.completed = completed
  }

  /// Whether the next request belongs to a full pass.
  public var isFull: Bool { syncToken == nil }

  /// Returns the state at the start of a new full pass.
  func restarted(query: String) -> SyncState {
    SyncState(query: query, fullPass: fullPass &+ 1, completed: completed)
  }
}

extension SyncState: CustomStringConvertible, CustomReflectable {
  /// The kind and the number of the pass, without tokens.
  public var description: String { "\(isFull ? "full" : "incremental") pass, \(fullPass)" }

  /// A mirror without tokens.
  public var customMirror: Mirror { Mirror(self, children: ["pass": description, "completed": completed as Any]) }
}
