// SPDX-License-Identifier: Apache-2.0

extension Colors {
  /// Returns the colours to paint a calendar with.
  ///
  /// The entry's own colours come first, then the pair that its ``CalendarListEntry/colorId`` names. A colour that is
  /// missing or malformed is passed over. A foreground that is missing, or on which text cannot be read well, is black or
  /// white: Google's own pairs have contrasts down to 3.4, and text wants 4.5
  /// ([WCAG 2.2 § 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum)).
  ///
  /// - Parameter fallback: The colours of a calendar that has none.
  public func appearance(of entry: CalendarListEntry, default fallback: Appearance = .plain) -> Appearance {
    if let background = entry.backgroundColor {
      return Appearance(background: background, readable: entry.foregroundColor)
    }
    return entry.colorId.flatMap { calendar?[$0] }.flatMap(Appearance.init) ?? fallback
  }

  /// Returns the colours to paint an event with.
  ///
  /// The event's label comes first, then the pair that its ``Event/colorId`` names, then the colours of its calendar. A
  /// foreground that is hard to read is replaced as ``appearance(of:default:)`` does.
  ///
  /// - Parameters:
  ///   - entry: The calendar that the event is on, if it is at hand.
  ///   - labels: The labels of that calendar.
  ///   - fallback: The colours of an event that has none, on a calendar that has none.
  public func appearance(
    of event: Event, in entry: CalendarListEntry? = nil, labels: [EventLabel] = [],
    default fallback: Appearance = .plain
  ) -> Appearance {
    if let id = event.eventLabelId, let background = labels.first(where: { $0.id == id })?.backgroundColor {
      return Appearance(background: background)
    }
    return event.colorId.flatMap { self.event?[$0] }.flatMap(Appearance.init)
      ?? entry.map { appearance(of: $0, default: fallback) } ?? fallback
  }
}
