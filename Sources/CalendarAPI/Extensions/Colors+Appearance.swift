// SPDX-License-Identifier: Apache-2.0

public import HexColor

extension Colors {
  /// The colours for displaying a calendar or an event.
  public struct Appearance: Sendable, Hashable {
    /// The background colour.
    public var background: RGBColor
    /// The text colour.
    public var foreground: RGBColor

    /// Creates a pair of colours.
    ///
    /// - Parameters:
    ///   - background: The background colour.
    ///   - foreground: The text colour. Defaults to black or white, whichever has the higher contrast.
    public init(background: RGBColor, foreground: RGBColor? = nil) {
      self.background = background
      self.foreground = foreground ?? background.readableForeground
    }

    /// Creates a pair of colours.
    ///
    /// Black or white replaces a foreground whose contrast is below 4.5.
    init(background: RGBColor, readable foreground: RGBColor?) {
      // On every background, black or white has a contrast of at least 4.58.
      let isReadable = foreground.map { background.contrastRatio(with: $0) >= 4.5 } ?? false
      self.init(background: background, foreground: isReadable ? foreground : nil)
    }

    /// Black on white.
    public static let plain = Appearance(background: .white, foreground: .black)

    /// Creates readable colours from a definition, or `nil` if it has no background.
    ///
    /// If the contrast of its foreground is below 4.5, black or white replaces it.
    public init?(_ definition: ColorDefinition) {
      guard let background = definition.background else { return nil }
      self.init(background: background, readable: definition.foreground)
    }
  }
}

extension Colors {
  /// Returns the colours for displaying a calendar.
  ///
  /// The entry's own colours have precedence over the pair of its ``CalendarListEntry/colorID``. Missing and malformed
  /// colours are skipped. Black or white replaces a foreground that is missing or has too little contrast: Google's
  /// pairs have contrasts down to 3.4, and text needs 4.5
  /// ([WCAG 2.2 § 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum)).
  ///
  /// - Parameters:
  ///   - entry: The calendar's entry in the user's list.
  ///   - fallback: The colours of a calendar without any. Defaults to black on white.
  public func appearance(of entry: CalendarListEntry, default fallback: Appearance = .plain) -> Appearance {
    if let background = entry.backgroundColor {
      return Appearance(background: background, readable: entry.foregroundColor)
    }
    return entry.colorID.flatMap { calendar?[$0] }.flatMap(Appearance.init) ?? fallback
  }

  /// Returns the colours for displaying an event.
  ///
  /// The event's label has precedence over the pair of its ``Event/colorID``, which has precedence over the colours of its
  /// calendar. A foreground with low contrast is replaced as in ``appearance(of:default:)``.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - entry: The entry of the event's calendar, if available.
  ///   - labels: The calendar's labels.
  ///   - fallback: The colours of an event without any, on a calendar without any. Defaults to black on white.
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
  /// The entry's own colours for displaying the calendar, or ``Colors/Appearance/plain`` if it has none.
  ///
  /// The server sends them with every entry. ``Colors/appearance(of:default:)`` also looks up ``colorID``, and documents when black
  /// or white replaces the foreground.
  public var appearance: Colors.Appearance { Colors().appearance(of: self) }
}

extension CalendarListEntry {
  /// The title to display: the user's own, otherwise the calendar's, otherwise the identifier.
  public var title: String { summaryOverride ?? summary ?? id ?? "" }
}
