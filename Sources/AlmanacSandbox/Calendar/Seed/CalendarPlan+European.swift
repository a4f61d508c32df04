// SPDX-License-Identifier: Apache-2.0

extension CalendarPlan {
  static let european = [
    CalendarPlan(
      key: "trabajo", summary: "Trabajo", description: "Reuniones y entregas", location: "Madrid",
      zone: "Europe/Madrid", colorID: "16", role: .writer,
      entries: [
        EventPlan(
          "Reunión diaria", .time(-28, 9, 30, minutes: 15), rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
          attendees: [.init("Equipo", "equipo"), .init("Persona de guardia", "guardia", "declined")],
          cancelledInstance: 1, movedInstance: (2, 90, "Reunión diaria (más tarde)")),
        EventPlan("Entrega trimestral", .day(9), description: "Informe y presentación", colorID: "11"),
        EventPlan("Revisión de diseño", .time(0, 12, 0, minutes: 60), location: "Sala Ñandú"),
        EventPlan("Retrospectiva", .time(-14, 16, 0, minutes: 60), rule: "FREQ=WEEKLY;INTERVAL=2"),
      ]),
    CalendarPlan(
      key: "verein", summary: "Verein & Sport", description: "Training, Spiele und Feste", location: "Köln",
      zone: "Europe/Berlin", colorID: "9",
      entries: [
        EventPlan(
          "Lauftraining", .time(-21, 18, 30, minutes: 90), rule: "FREQ=WEEKLY;BYDAY=TU,TH", location: "Sportplatz Süd",
          movedInstance: (0, 30, "Lauftraining (später, Flutlicht)")),
        EventPlan("Mitgliederversammlung", .time(8, 19, 0, minutes: 150), location: "Vereinsheim, Großer Saal"),
        EventPlan("Straßenfest", .day(11, length: 2), isTransparent: true),
        EventPlan("Kassenprüfung", .time(-30, 17, 0, minutes: 60), rule: "FREQ=MONTHLY;BYDAY=-1FR"),
      ]),
    CalendarPlan(
      key: "leitura", summary: "Clube de leitura", description: "Um livro por mês", zone: "Europe/Lisbon", colorID: "6",
      role: .reader,
      entries: [
        EventPlan(
          "Encontro do clube", .time(-35, 20, 0, minutes: 120), rule: "FREQ=MONTHLY;BYDAY=1WE",
          location: "Livraria Exemplo, Lisboa"),
        EventPlan("Sessão com a autora", .time(4, 18, 30, minutes: 60), description: "Trazer perguntas e café ☕️"),
        EventPlan("Leitura em voz alta", .time(0, 21, 0, minutes: 45)),
      ]),
    CalendarPlan(
      key: "chorodia", summary: "Χορωδία", description: "Πρόβες και συναυλίες", location: "Αθήνα",
      zone: "Europe/Athens",
      colorID: "24", role: .reader,
      entries: [
        EventPlan(
          "Πρόβα", .time(-28, 19, 0, minutes: 120), rule: "FREQ=WEEKLY;BYDAY=WE", location: "Ωδείο Παράδειγμα",
          cancelledInstance: 1),
        EventPlan("Συναυλία", .time(12, 20, 30, minutes: 150), location: "Αίθουσα Μουσικής", colorID: "3"),
        EventPlan("Εκδρομή στη θάλασσα", .day(6, length: 2)),
      ]),
  ]
}
