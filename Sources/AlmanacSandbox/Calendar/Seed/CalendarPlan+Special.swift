// SPDX-License-Identifier: Apache-2.0

extension CalendarPlan {
  /// Calendars that are on the list in an unusual way.
  static let special = [
    CalendarPlan(
      key: "en.international-days#holiday", summary: "International days", zone: "UTC", colorID: "8", role: .reader,
      entries: [
        EventPlan("Yesterday's Remembrance Day", .day(-1), rule: "FREQ=YEARLY", isTransparent: true),
        EventPlan("World Sample Data Day", .day(0), rule: "FREQ=YEARLY", isTransparent: true),
        EventPlan("International Week of Round Trips", .day(2, length: 7), rule: "FREQ=YEARLY", isTransparent: true),
      ]),
    CalendarPlan(
      key: "archive", summary: "Archiv", description: "Nicht mehr gepflegt", zone: "Europe/Berlin", colorID: "19",
      isSelected: false, isHidden: true, entries: [EventPlan("Letzte Sitzung", .time(-400, 18, 0, minutes: 60))]),
    CalendarPlan(
      key: "removed", summary: "Proyecto terminado", zone: "Europe/Madrid", colorID: "1", isDeleted: true),
  ]
}
