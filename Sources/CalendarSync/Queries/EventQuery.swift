// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The conditions for finding stored events.
///
/// An event must meet all of them.
///
/// ```swift
/// for try await found in store.events(matching: EventQuery(text: "budget"), for: "me") {
///   print(found.event.summary ?? "")
/// }
/// ```
///
/// A recurring event is found as one event, and each changed instance as another.
/// The description contains no text, address or identifier.
public struct EventQuery: Sendable, Hashable {
  /// The words of the event's title, description, location, or of the names and addresses of its people, or `nil` for any.
  ///
  /// Case and the accents of Latin and Greek letters are ignored. Each part between spaces must occur, in any order and in any of these
  /// fields. Within a part such as `ada@example.com`, the words must be adjacent, and the last word can be the beginning of a longer
  /// one. Every event matches a text without letters and digits.
  public var text: String?
  /// The e-mail address of an attendee or of the organizer, compared without regard to case, or `nil` for any.
  public var attendee: String?
  /// The identifiers of the calendars, or `nil` for all calendars of the account.
  public var calendarIDs: [String]?
  /// The identifier of the recurring event whose changed and cancelled instances are found, or `nil` for any event.
  public var seriesID: String?
  /// The time since which the event was changed on the server, in whole milliseconds, or `nil` for any.
  public var updatedSince: Timestamp?
  /// The time in which the event or one of its instances can take place, or `nil` for any.
  public var span: EventSpan?
  /// Whether cancelled instances are found too.
  public var includesCancelled: Bool

  /// Creates a query.
  public init(
    text: String? = nil, attendee: String? = nil, calendarIDs: [String]? = nil, seriesID: String? = nil,
    updatedSince: Timestamp? = nil, span: EventSpan? = nil, includesCancelled: Bool = false
  ) {
    self.text = text
    self.attendee = attendee
    self.calendarIDs = calendarIDs
    self.seriesID = seriesID
    self.updatedSince = updatedSince
    self.span = span
    self.includesCancelled = includesCancelled
  }
}

extension EventQuery {
  /// The words of each part of the text, as in ``EventIndex/words``.
  public var terms: [[String]] {
    (text ?? "").split(whereSeparator: \.isWhitespace).map { SearchWords($0).list }.filter { !$0.isEmpty }
  }

  /// The address in the form of ``EventIndex/addresses``.
  public var address: String? { attendee?.lowercased() }

  /// The number of milliseconds since 1970 in the form of ``EventIndex/updated``.
  public var updatedMilliseconds: Int64? { updatedSince?.milliseconds }

  /// Returns whether an event with this index is found, apart from its calendar.
  ///
  /// Use it in a store without an index of its own.
  public func matches(_ index: EventIndex) -> Bool {
    if !includesCancelled, index.isCancelled { return false }
    if let seriesID, index.seriesID.map({ $0.utf8.elementsEqual(seriesID.utf8) }) != true { return false }
    if let span, index.span?.overlaps(span) != true { return false }
    if let updatedMilliseconds, index.updated.map({ $0 >= updatedMilliseconds }) != true { return false }
    if let address, !index.addresses.contains(address) { return false }
    return text == nil || terms.allSatisfy { index.contains($0) }
  }
}

extension EventQuery: CustomStringConvertible, CustomReflectable {
  /// The names of the conditions.
  public var description: String {
    let names: [(String, Bool)] = [
      ("text", text != nil), ("attendee", attendee != nil), ("calendarIDs", calendarIDs != nil),
      ("seriesID", seriesID != nil),
      ("updatedSince", updatedSince != nil), ("span", span != nil),
    ]
    return "events by \(names.filter(\.1).map(\.0))"
  }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["query": description]) }
}

extension Timestamp {
  /// The whole milliseconds since 1970.
  var milliseconds: Int64 {
    let (value, overflows) = secondsSince1970.multipliedReportingOverflow(by: 1000)
    return overflows ? (secondsSince1970 < 0 ? .min : .max) : value + Int64(nanoseconds / 1_000_000)
  }
}
