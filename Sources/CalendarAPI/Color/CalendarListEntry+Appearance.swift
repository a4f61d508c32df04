// SPDX-License-Identifier: Apache-2.0

extension CalendarListEntry {
  /// The entry's own colours, to paint the calendar with; ``Colors/Appearance/plain`` if it has none.
  ///
  /// The server sends them with every entry. ``Colors/appearance(of:default:)`` also looks up ``colorId``, and says when
  /// black or white takes the place of the foreground.
  public var appearance: Colors.Appearance { Colors().appearance(of: self) }
}
