// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// An event matching a query.
///
/// The description contains names of fields and never a value.
public struct StoredEvent: Sendable, Hashable {
  /// The identifier of the calendar.
  public let calendarID: String
  /// The event.
  public let event: Event
  /// The position in the results, at which a later query can continue.
  public let cursor: EventCursor
  /// Whether a pending edit has changed the event.
  public internal(set) var isPending = false

  /// Creates a result of a query.
  ///
  /// - Parameters:
  ///   - event: The event, with an identifier.
  ///   - calendarID: The identifier of the calendar.
  ///   - start: The ``EventIndex/start`` of the event.
  public init(_ event: Event, in calendarID: String, start: Int64) {
    self.event = event
    self.calendarID = calendarID
    cursor = EventCursor(start: start, calendarID: calendarID, id: event.id ?? "")
  }
}

extension StoredEvent: CustomStringConvertible, CustomReflectable {
  /// The names of the event's fields.
  public var description: String { event.debugDescription }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}

/// A position in the results of a query.
///
/// Results are in order of their start, then of the bytes of the calendar's and of the event's identifier. The position remains valid if
/// its event is removed. The description contains no identifier.
public struct EventCursor: Sendable, Hashable, Codable {
  /// The ``EventIndex/start`` of the event.
  public let start: Int64
  /// The identifier of the calendar.
  public let calendarID: String
  /// The identifier of the event.
  public let id: String

  /// Creates a position.
  public init(start: Int64, calendarID: String, id: String) {
    self.start = start
    self.calendarID = calendarID
    self.id = id
  }
}

extension EventCursor: Comparable {
  /// Whether the first position is earlier in the results.
  public static func < (left: EventCursor, right: EventCursor) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if !left.calendarID.utf8.elementsEqual(right.calendarID.utf8) {
      return left.calendarID.utf8.lexicographicallyPrecedes(right.calendarID.utf8)
    }
    return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }
}

extension EventCursor: CustomStringConvertible, CustomReflectable {
  /// The start alone.
  public var description: String { "events after \(start)" }

  /// A mirror without identifiers.
  public var customMirror: Mirror { Mirror(self, children: ["start": start]) }
}

/// The events matching a query, sorted by ``EventCursor``, read in portions.
///
/// A change during the iteration affects only events not yet read.
public struct StoredEvents: AsyncSequence, Sendable {
  let store: any CalendarStore
  let query: EventQuery
  let account: String
  let cursor: EventCursor?

  /// Returns an iterator that starts after the cursor.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      portions: Portions(after: cursor) { [self] cursor, limit in
        try await store.visibleEvents(matching: query, for: account, after: cursor, limit: limit).map {
          ($0, $0.cursor)
        }
      })
  }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    var portions: Portions<StoredEvent, EventCursor>

    /// Returns the next event, or `nil` after the last one.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> StoredEvent? {
      try await portions.next(isolation: actor)
    }
  }
}

/// Elements, read in portions, each after the position of the last element.
struct Portions<Element: Sendable, Position: Sendable> {
  private static var limit: Int { 500 }

  private let read: @Sendable (Position?, Int) async throws -> [(Element, Position)]
  private var portion: IndexingIterator<[(Element, Position)]> = [].makeIterator()
  private var last: Position?
  private var hasEnded = false

  init(
    after position: Position? = nil, read: @escaping @Sendable (Position?, Int) async throws -> [(Element, Position)]
  ) {
    last = position
    self.read = read
  }

  mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
    while true {
      if let (element, position) = portion.next() {
        last = position
        return element
      }
      guard !hasEnded else { return nil }
      let next = try await read(last, Self.limit)
      hasEnded = next.count < Self.limit
      portion = next.makeIterator()
    }
  }
}
