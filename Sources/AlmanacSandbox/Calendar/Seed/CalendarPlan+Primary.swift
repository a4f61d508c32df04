// SPDX-License-Identifier: Apache-2.0

extension SampleEvent.Attendee {
  /// A participant known by a role only.
  init(_ name: String, _ address: String, _ response: String = "accepted") {
    self.init(name: name, email: "\(address)@example.com", response: response)
  }
}

extension CalendarPlan {
  /// The user's own calendar.
  static let primary = CalendarPlan(
    key: "primary", summary: "", zone: "Europe/Madrid", colorID: "14",
    entries: [
      EventPlan("Paseo con el perro", .time(-60, 7, 30, minutes: 30), rule: "FREQ=DAILY", isTransparent: true),
      EventPlan(
        "Dentista", .time(1, 16, 15, minutes: 45), location: "Calle de la Muestra 12, Madrid",
        description: "Llevar la tarjeta sanitaria.", colorID: "11"),
      EventPlan(
        "Comida con el equipo", .time(0, 14, 0, minutes: 90), location: "Restaurante El Ejemplo",
        attendees: [
          .init("Coordinación", "coordinacion"), .init("Diseño", "diseno", "tentative"),
          .init("Becario", "becario", "needsAction"),
        ]),
      EventPlan("Fin de semana en la sierra", .day(5, length: 3), location: "Sierra de Ejemplo", colorID: "10"),
      EventPlan(
        "Call with the New York office", .time(2, 10, 0, minutes: 60, zone: "America/New_York"),
        description: "Agenda & minutes: <https://example.com/minutes?q=1&lang=en>", status: "tentative"),
      EventPlan("Reunión anulada", .time(3, 9, 0, minutes: 60), isCancelled: true),
      EventPlan("Cumpleaños 🎂", .day(-20), rule: "FREQ=YEARLY", colorID: "5", isTransparent: true),
    ])
}
