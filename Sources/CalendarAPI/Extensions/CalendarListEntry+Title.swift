// SPDX-License-Identifier: Apache-2.0

extension CalendarListEntry {
  /// The title to show: the user's own, otherwise the calendar's, otherwise the identifier.
  public var title: String { summaryOverride ?? summary ?? id ?? "" }
}
