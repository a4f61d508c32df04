import Foundation
import Timekeeping

/// Times of RFC 3339, in UTC and with an offset.
enum TimeRows {
  static var rows: [Row] {
    let formatter = ISO8601DateFormatter()
    let style = Date.ISO8601FormatStyle.iso8601
    let reading = [("T1 UTC", utc), ("T2 offset", offset)].map { name, texts in
      Row(
        "RFC 3339", "parse " + name, items: texts.count,
        ours: Contender("Timestamp(rfc3339:)") {
          var sum: Int64 = 0
          for text in texts { sum &+= (try? Timestamp(rfc3339: text))?.secondsSince1970 ?? 0 }
          return Int(truncatingIfNeeded: sum)
        },
        baselines: [
          Contender("ISO8601FormatStyle") {
            texts.reduce(0) { $0 &+ ((try? style.parse($1)).map { Int($0.timeIntervalSince1970) } ?? 0) }
          },
          Contender("ISO8601DateFormatter") {
            texts.reduce(0) { $0 &+ (formatter.date(from: $1).map { Int($0.timeIntervalSince1970) } ?? 0) }
          },
        ])
    }
    let bytes = utc.map { Array($0.utf8) }
    let fractions = utc.map { $0.dropLast() + ".250Z" }.map(String.init)
    let fractionStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let times = utc.compactMap { try? Timestamp(rfc3339: $0) }
    let dates = times.map { Date(timeIntervalSince1970: Double($0.secondsSince1970)) }
    var buffer: [UInt8] = []
    let writing = [
      Contender("ISO8601FormatStyle") { dates.reduce(0) { $0 &+ style.format($1).utf8.count } },
      Contender("ISO8601DateFormatter") { dates.reduce(0) { $0 &+ formatter.string(from: $1).utf8.count } },
    ]
    return reading + [
      Row(
        "RFC 3339", "parse T1, bytes", items: bytes.count,
        ours: Contender("Timestamp(rfc3339:)") {
          var sum: Int64 = 0
          for text in bytes { sum &+= (try? Timestamp(rfc3339: text.span))?.secondsSince1970 ?? 0 }
          return Int(truncatingIfNeeded: sum)
        }, baselines: reading[0].baselines),
      Row(
        "RFC 3339", "parse T3 fraction", items: fractions.count,
        ours: Contender("Timestamp(rfc3339:)") {
          var sum: Int64 = 0
          for text in fractions { sum &+= (try? Timestamp(rfc3339: text))?.secondsSince1970 ?? 0 }
          return Int(truncatingIfNeeded: sum)
        },
        baselines: [
          Contender("ISO8601FormatStyle") {
            fractions.reduce(0) { $0 &+ ((try? fractionStyle.parse($1)).map { Int($0.timeIntervalSince1970) } ?? 0) }
          }
        ]),
      Row(
        "RFC 3339", "format T1", items: times.count,
        ours: Contender("rfc3339()") {
          var sum = 0
          for time in times { sum &+= time.rfc3339().utf8.count }
          return sum
        }, baselines: writing),
      Row(
        "RFC 3339", "format T1, to bytes", items: times.count,
        ours: Contender("appendRFC3339") {
          buffer.removeAll(keepingCapacity: true)
          for time in times { time.appendRFC3339(to: &buffer) }
          return buffer.count
        }, baselines: writing),
    ]
  }

  private static let utc = texts(zone: { _ in "Z" })
  private static let offset = texts(zone: { ["+01:00", "-08:00", "+05:30"].randomElement(using: &$0) ?? "Z" })

  private static func texts(zone: (inout SeededNumbers) -> String) -> [String] {
    var numbers = SeededNumbers(seed: 3)
    return (0..<1024).map { _ in
      let time = Timestamp(secondsSince1970: .random(in: 0..<4_000_000_000, using: &numbers))
      return String(time.rfc3339().dropLast()) + zone(&numbers)
    }
  }
}
