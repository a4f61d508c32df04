// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// The values by which a store finds an event.
///
/// The description contains none of them.
public struct EventIndex: Sendable, Hashable {
  /// The first second of the ``span``, the sort key of a query's results, or the smallest number for an event without a
  /// time.
  public let start: Int64
  /// The time in which the event can take place, or `nil` for an event without a time.
  public let span: EventSpan?
  /// The identifier of an instance's recurring event, or `nil` for other events.
  public let seriesID: String?
  /// Whether the event is a cancelled instance.
  public let isCancelled: Bool
  /// The milliseconds since 1970 at which the event was changed, or `nil` if the server did not send it.
  public let updated: Int64?
  /// The e-mail addresses of the organizer and the attendees, in lower case.
  public let addresses: [String]
  /// The first words of the event, at most 10,000 with 200,000 bytes, in lower case and without accents.
  ///
  /// A word consists of letters and digits, and is cut after 200 bytes. A character of a script without spaces is a word. The element `…`
  /// separates fields.
  public let words: [String]

  /// Creates the index of an event.
  public init(_ event: Event) {
    span = EventSpan(event)
    start = span?.start ?? .min
    seriesID = event.recurringEventID
    isCancelled = event.status == .cancelled
    updated = event.updated?.milliseconds
    var people = (event.attendees ?? []).map { [$0.email, $0.displayName] }
    people.append([event.organizer?.email, event.organizer?.displayName])
    addresses = people.compactMap { $0[0]?.lowercased() }
    var words = SearchWords()
    for text in [event.summary, event.location] + people.joined() + [event.description] { words.append(field: text) }
    self.words = words.list
  }

  /// Returns whether these words occur one after another.
  ///
  /// The last word can be the beginning of a longer one.
  public func contains(_ term: [String]) -> Bool {
    guard let last = term.last else { return true }
    let phrase = term.dropLast()
    return words.indices.dropLast(phrase.count).contains { index in
      words[index...].starts(with: phrase) && words[index + phrase.count].utf8.starts(with: last.utf8)
    }
  }
}

extension EventIndex: CustomStringConvertible, CustomReflectable {
  /// The number of words and addresses.
  public var description: String { "\(words.count) words, \(addresses.count) addresses" }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["index": description]) }
}
