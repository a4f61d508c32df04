// SPDX-License-Identifier: Apache-2.0

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
