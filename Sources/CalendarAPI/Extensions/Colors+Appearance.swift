// SPDX-License-Identifier: Apache-2.0

public import HexColor

extension Colors {
  /// The colours to paint a calendar or an event with.
  public struct Appearance: Sendable, Hashable {
    /// The colour behind.
    public var background: RGBColor
    /// The colour to write with.
    public var foreground: RGBColor

    /// Creates a pair of colours.
    ///
    /// - Parameter foreground: The colour to write with. Defaults to black or white, whichever is easier to read.
    public init(background: RGBColor, foreground: RGBColor? = nil) {
      self.background = background
      self.foreground = foreground ?? background.readableForeground
    }

    /// Creates a pair of colours, with black or white in place of a foreground whose contrast is below 4.5.
    init(background: RGBColor, readable foreground: RGBColor?) {
      // On every background, black or white has a contrast of at least 4.58.
      let isReadable = foreground.map { background.contrastRatio(with: $0) >= 4.5 } ?? false
      self.init(background: background, foreground: isReadable ? foreground : nil)
    }

    /// Black on white.
    public static let plain = Appearance(background: .white, foreground: .black)

    /// Creates the colours of a definition, with a foreground that can be read; `nil` if it has no background.
    ///
    /// If the contrast of its own foreground is below 4.5, black or white takes its place.
    public init?(_ definition: ColorDefinition) {
      guard let background = definition.background else { return nil }
      self.init(background: background, readable: definition.foreground)
    }
  }
}

extension Colors {
  /// Returns the colours to paint a calendar with.
  ///
  /// The entry's own colours come first, then the pair that its ``CalendarListEntry/colorID`` names. A colour that is
  /// missing or malformed is passed over. A foreground that is missing, or on which text cannot be read well, is black or
  /// white: Google's own pairs have contrasts down to 3.4, and text wants 4.5
  /// ([WCAG 2.2 § 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum)).
  ///
  /// - Parameter fallback: The colours of a calendar that has none.
  public func appearance(of entry: CalendarListEntry, default fallback: Appearance = .plain) -> Appearance {
    if let background = entry.backgroundColor {
      return Appearance(background: background, readable: entry.foregroundColor)
    }
    return entry.colorID.flatMap { calendar?[$0] }.flatMap(Appearance.init) ?? fallback
  }

  /// Returns the colours to paint an event with.
  ///
  /// The event's label comes first, then the pair that its ``Event/colorID`` names, then the colours of its calendar. A
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
    if let id = event.eventLabelID, let background = labels.first(where: { $0.id == id })?.backgroundColor {
      return Appearance(background: background)
    }
    return event.colorID.flatMap { self.event?[$0] }.flatMap(Appearance.init)
      ?? entry.map { appearance(of: $0, default: fallback) } ?? fallback
  }
}

extension CalendarListEntry {
  /// The entry's own colours, to paint the calendar with; ``Colors/Appearance/plain`` if it has none.
  ///
  /// The server sends them with every entry. ``Colors/appearance(of:default:)`` also looks up ``colorID``, and says when
  /// black or white takes the place of the foreground.
  public var appearance: Colors.Appearance { Colors().appearance(of: self) }
}

extension CalendarListEntry {
  /// The title to show: the user's own, otherwise the calendar's, otherwise the identifier.
  public var title: String { summaryOverride ?? summary ?? id ?? "" }
}
