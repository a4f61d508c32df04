// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor

/// A calendar's row in the list.
nonisolated struct CalendarRow: Identifiable, Equatable {
  let id: String
  let title: String
  /// The description, or the id of a calendar without one.
  let subtitle: String
  let background: RGBColor
  let foreground: RGBColor

  init(_ entry: CalendarListEntry) {
    id = entry.id ?? ""
    title = entry.title
    subtitle = entry.description ?? id
    background = entry.appearance.background
    foreground = entry.appearance.foreground
  }
}
