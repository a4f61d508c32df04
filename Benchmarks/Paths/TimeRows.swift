// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import Timekeeping

/// Reading and writing times of RFC 3339, in UTC, with an offset and with a fraction.
enum TimeRows {
  static var rows: [Row] {
    let (utc, offset, fraction) = (TimeTexts.utc, TimeTexts.offset, TimeTexts.fraction)
    return [
      reading("parse T1 UTC", utc), reading("parse T2 offset", offset), reading("parse T3 fraction", fraction),
      Row("RFC 3339", "parse T1, bytes", ours: bytes(utc), baselines: reading("", utc).baselines),
    ] + writing(utc)
  }

  private static func reading(_ name: String, _ times: TimeTexts) -> Row {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: times.hasFraction)
    let formatter = ISO8601DateFormatter()
    if times.hasFraction { formatter.formatOptions.insert(.withFractionalSeconds) }
    return Row(
      "RFC 3339", name,
      ours: contender("Timestamp(rfc3339:)", times, step: 100_000) {
        (try? Timestamp(rfc3339: $0))?.secondsSince1970 ?? 0
      },
      baselines: [
        contender("ISO8601FormatStyle", times, step: 5000) {
          (try? style.parse($0)).map { Int64($0.timeIntervalSince1970.rounded(.down)) } ?? 0
        },
        contender("ISO8601DateFormatter", times, step: 200) {
          formatter.date(from: $0).map { Int64($0.timeIntervalSince1970.rounded(.down)) } ?? 0
        },
      ])
  }

  /// Returns a contender that reads strings.
  @inline(__always)
  private static func contender(
    _ name: String, _ times: TimeTexts, step: Int, _ read: @escaping (String) -> Int64
  ) -> Contender {
    let walk = Walk(over: times.count, step: step)
    return Contender(
      name, items: walk.step, check: { times.fault(upTo: walk.step) { read(times.texts[$0]) } },
      {
        let texts = times.texts.span
        var sum: Int64 = 0
        for index in walk.next() { sum &+= read(texts[index]) }
        return Int(truncatingIfNeeded: sum)
      })
  }

  /// Returns a row that reads consecutive texts in one buffer, as in a document.
  private static func bytes(_ times: TimeTexts) -> Contender {
    let buffer = times.texts.flatMap { Array($0.utf8) }
    let length = buffer.count / times.count
    let walk = Walk(over: times.count, step: 100_000)
    return Contender(
      "Timestamp(rfc3339:)", items: walk.step,
      check: {
        times.fault(upTo: times.count) {
          let text = buffer.span.extracting($0 * length..<($0 + 1) * length)
          return (try? Timestamp(rfc3339: text))?.secondsSince1970 ?? 0
        }
      },
      {
        let bytes = buffer.span
        var sum: Int64 = 0
        for index in walk.next() {
          let text = bytes.extracting(index * length..<(index + 1) * length)
          sum &+= (try? Timestamp(rfc3339: text))?.secondsSince1970 ?? 0
        }
        return Int(truncatingIfNeeded: sum)
      })
  }

  private static func writing(_ times: TimeTexts) -> [Row] {
    let stamps = times.seconds.map { Timestamp(secondsSince1970: $0) }
    let dates = times.seconds.map { Date(timeIntervalSince1970: Double($0)) }
    let style = Date.ISO8601FormatStyle.iso8601
    let formatter = ISO8601DateFormatter()
    let baselines = [
      writer("ISO8601FormatStyle", times, step: 5000) { style.format(dates[$0]) },
      writer("ISO8601DateFormatter", times, step: 2000) { formatter.string(from: dates[$0]) },
    ]
    let walk = Walk(over: times.count, step: 100_000)
    var buffer: [UInt8] = []
    return [
      Row(
        "RFC 3339", "format T1",
        ours: writer("rfc3339()", times, step: 100_000) { stamps[$0].rfc3339() }, baselines: baselines),
      Row(
        "RFC 3339", "format T1, to bytes",
        ours: Contender(
          "appendRFC3339", items: walk.step,
          check: {
            times.fault(upTo: times.count) { (index: Int) -> String in
              var text: [UInt8] = []
              stamps[index].appendRFC3339(to: &text)
              return String(decoding: text, as: UTF8.self)
            }
          },
          {
            let stamps = stamps.span
            buffer.removeAll(keepingCapacity: true)
            for index in walk.next() { stamps[index].appendRFC3339(to: &buffer) }
            return buffer.count
          }), baselines: baselines),
    ]
  }

  /// Returns a contender that writes strings.
  @inline(__always)
  private static func writer(
    _ name: String, _ times: TimeTexts, step: Int, _ write: @escaping (Int) -> String
  ) -> Contender {
    let walk = Walk(over: times.count, step: step)
    return Contender(
      name, items: walk.step, check: { times.fault(upTo: walk.step, write) },
      {
        var sum = 0
        for index in walk.next() { sum &+= write(index).utf8.count }
        return sum
      })
  }
}

/// Different texts, written by the C library, and their times.
struct TimeTexts {
  let texts: [String]
  /// The time of each text in whole seconds since 1970.
  let seconds: [Int64]
  let hasFraction: Bool

  var count: Int { texts.count }

  static var utc: TimeTexts { TimeTexts { _ in ("Z", 0) } }
  static var fraction: TimeTexts { TimeTexts(hasFraction: true) { _ in (".250Z", 0) } }
  static var offset: TimeTexts {
    let zones: [(String, Int64)] = [("+01:00", 3600), ("-08:00", -28800), ("+05:30", 19800)]
    return TimeTexts { zones.randomElement(using: &$0) ?? ("Z", 0) }
  }

  private init(hasFraction: Bool = false, zone: (inout SeededNumbers) -> (name: String, offset: Int64)) {
    var numbers = SeededNumbers(seed: 3)
    var (texts, seconds): ([String], [Int64]) = ([], [])
    var text = [CChar](repeating: 0, count: 32)
    for _ in 0..<Workload.texts {
      let time = Int64.random(in: 0..<4_000_000_000, using: &numbers)
      let zone = zone(&numbers)
      var local = time_t(time + zone.offset)
      var parts = unsafe tm()
      // The C library fills in a `tm`, and writes at most as many bytes as the array has.
      unsafe gmtime_r(&local, &parts)
      let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
      texts.append(String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) + zone.name)
      seconds.append(time)
    }
    (self.texts, self.seconds, self.hasFraction) = (texts, seconds, hasFraction)
  }

  /// Returns the first of `count` texts that is not read as its time.
  func fault(upTo count: Int, _ read: (Int) -> Int64) -> String? {
    (0..<count).first { read($0) != seconds[$0] }.map { "\(texts[$0]) is read as \(read($0)), not \(seconds[$0])" }
  }

  /// Returns the first of `count` times that is not written like the C library's text.
  func fault(upTo count: Int, _ write: (Int) -> String) -> String? {
    (0..<count).first { write($0) != texts[$0] }.map { "\(texts[$0]) is written as \(write($0))" }
  }
}
