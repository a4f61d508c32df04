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

extension CalendarPlan {
  static let asian = [
    CalendarPlan(
      key: "benkyoukai", summary: "勉強会", description: "毎週の技術勉強会です。", location: "東京", zone: "Asia/Tokyo",
      colorID: "17",
      entries: [
        EventPlan(
          "Swift 輪読会", .time(-28, 19, 30, minutes: 90), rule: "FREQ=WEEKLY;BYDAY=TH", location: "見本ビル 3階",
          attendees: [.init("司会", "shikai"), .init("書記", "shoki", "tentative")]),
        EventPlan("発表の準備", .time(0, 21, 0, minutes: 60)),
        EventPlan("花見", .day(10), location: "見本公園", colorID: "4"),
      ]),
    CalendarPlan(
      key: "hangugeo", summary: "한국어 수업", description: "초급반", zone: "Asia/Seoul", colorID: "15", role: .reader,
      entries: [
        EventPlan(
          "한국어 초급", .time(-30, 20, 0, minutes: 60), rule: "FREQ=WEEKLY;BYDAY=MO,FR", lastDay: 60, location: "보기 어학당",
          movedInstance: (1, -60, "한국어 초급 (시간 변경)")),
        EventPlan("중간시험", .time(13, 10, 0, minutes: 120), description: "연필과 신분증을 가져오세요."),
      ]),
    CalendarPlan(
      key: "sangeet", summary: "संगीत कक्षा", description: "हिन्दुस्तानी शास्त्रीय संगीत", location: "नई दिल्ली",
      zone: "Asia/Kolkata", colorID: "12", role: .reader,
      entries: [
        EventPlan("रियाज़", .time(-45, 6, 0, minutes: 45), rule: "FREQ=DAILY"),
        EventPlan("सितार की कक्षा", .time(1, 17, 30, minutes: 60), location: "उदाहरण विद्यालय"),
        EventPlan("वार्षिक समारोह", .day(17), colorID: "6"),
      ]),
    CalendarPlan(
      key: "khatt", summary: "دروس الخط العربي", description: "كل أسبوع درس جديد", location: "الرياض",
      zone: "Asia/Riyadh",
      colorID: "10", role: .writer,
      entries: [
        EventPlan(
          "درس خط النسخ", .time(-28, 18, 0, minutes: 90), rule: "FREQ=WEEKLY;BYDAY=SU,TU", location: "مركز المثال",
          cancelledInstance: 0),
        EventPlan("معرض الطلاب", .day(9, length: 3), description: "الدخول مجاني"),
        EventPlan("شراء الأقلام والحبر", .time(0, 16, 0, minutes: 30)),
      ]),
    CalendarPlan(
      key: "taiji", summary: "太极拳", description: "清晨练习", location: "上海", zone: "Asia/Shanghai", colorID: "7",
      role: .reader,
      entries: [
        EventPlan("晨练", .time(-20, 6, 30, minutes: 45), rule: "FREQ=WEEKLY;BYDAY=SA,SU", location: "示例公园"),
        EventPlan("公开课", .time(5, 10, 0, minutes: 90)),
      ]),
  ]
}

extension SampleEvent.Attendee {
  /// Creates an attendee who is identified by a role only.
  init(_ name: String, _ mailbox: String, _ response: String = "accepted") {
    self.init(name: name, email: "\(mailbox)@example.com", response: response)
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

extension CalendarPlan {
  /// Calendars with uncommon list entries: published, hidden, or deleted.
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
