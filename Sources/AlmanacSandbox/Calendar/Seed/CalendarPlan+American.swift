// SPDX-License-Identifier: Apache-2.0

extension CalendarPlan {
  static let american = [
    CalendarPlan(
      key: "family", summary: "Family", description: "Everybody's appointments", zone: "America/New_York",
      colorID: "22",
      role: .writer,
      entries: [
        EventPlan(
          "School run", .time(-40, 7, 45, minutes: 30), rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", cancelledInstance: 2),
        EventPlan("Grandparents visit", .day(3, length: 4), description: "Arriving by train, platform 9"),
        EventPlan("Bin day 🗑", .day(-21), rule: "FREQ=WEEKLY", lastDay: 35, isTransparent: true),
        EventPlan("Piano recital", .time(7, 17, 0, minutes: 75), location: "1 Sample Street, Springfield"),
        EventPlan("Water the plants", .time(-3, 8, 0, minutes: 10), rule: "FREQ=DAILY;INTERVAL=3", isTransparent: true),
      ]),
    CalendarPlan(
      key: "travel", summary: "Travel ✈︎", description: "Flights & hotels", zone: "America/Los_Angeles", colorID: "5",
      entries: [
        EventPlan(
          "Flight EX 123 to Tokyo", .time(3, 11, 20, minutes: 690), location: "Example International, Gate 42",
          description: "Seat 12A"),
        EventPlan("Hotel Muestra", .day(4, length: 5), isTransparent: true),
        EventPlan("Conference keynote", .time(5, 9, 0, minutes: 60, zone: "Asia/Tokyo"), colorID: "9"),
        EventPlan("Passport renewal", .time(0, 15, 30, minutes: 30), status: "tentative"),
      ]),
    CalendarPlan(
      key: "capoeira", summary: "Roda de capoeira", description: "Treinos abertos", location: "São Paulo",
      zone: "America/Sao_Paulo", colorID: "8", role: .reader,
      entries: [
        EventPlan("Treino", .time(-10, 19, 0, minutes: 90), rule: "FREQ=DAILY;BYDAY=MO,WE,FR,SA;COUNT=60"),
        EventPlan("Batizado", .day(20), location: "Ginásio Exemplo"),
      ]),
  ]
}
