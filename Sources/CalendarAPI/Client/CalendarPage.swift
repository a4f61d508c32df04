// SPDX-License-Identifier: Apache-2.0

/// A page of a collection.
public protocol CalendarPage: CalendarSchema {
  /// What the collection consists of.
  associatedtype Element: CalendarSchema

  /// The elements on this page. It may be empty although another page follows.
  var items: [Element] { get }

  /// The token for the next page; `nil` on the last page.
  var nextPageToken: String? { get }

  /// The token for the next incremental synchronization; on the last page only.
  var nextSyncToken: String? { get }
}
