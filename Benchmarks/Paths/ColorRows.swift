// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HexColor

/// Reading and writing colours: H1 has only `#RRGGBB`, H2 the notations that users write.
enum ColorRows {
  static var rows: [Row] {
    let (uniform, mixed) = (ColorTexts.uniform, ColorTexts.mixed)
    return reading("H1 #RRGGBB", uniform) + reading("H2 mixed", mixed) + [formatting(uniform)]
  }

  private static func reading(_ name: String, _ colors: ColorTexts) -> [Row] {
    let baselines = [
      contender("tutorial", colors, step: 2000, doesLess: "six digits only") { ColorBaseline.tutorial($0) },
      contender("UInt32(_:radix:)", colors, step: 5000, doesLess: "six digits only") { ColorBaseline.radix($0) },
    ]
    let orDefault = contender("hex:default:", colors, step: 100_000) {
      RGBColor(hex: $0, default: ColorTexts.fallback)
    }
    return [
      Row("colour", name, ours: orDefault, baselines: baselines),
      Row(
        "colour", name + ", or nil",
        ours: contender("try? hex:", colors, step: 100_000) { (try? RGBColor(hex: $0)) ?? ColorTexts.fallback },
        baselines: [orDefault]),
      Row("colour", name + ", Substring", ours: substrings(colors), baselines: baselines),
      Row("colour", name + ", bytes", ours: bytes(colors), baselines: baselines),
    ]
  }

  /// Returns a contender that reads strings.
  @inline(__always)
  private static func contender(
    _ name: String, _ colors: ColorTexts, step: Int, doesLess: String? = nil, _ read: @escaping (String) -> RGBColor
  ) -> Contender {
    let walk = Walk(over: colors.count, step: step)
    return Contender(
      name, items: walk.step, doesLess: doesLess, check: { colors.fault { read(colors.texts[$0]) } },
      {
        let texts = colors.texts.span
        var sum = 0
        for index in walk.next() { sum &+= read(texts[index]).sum }
        return sum
      })
  }

  private static func substrings(_ colors: ColorTexts) -> Contender {
    let substrings = colors.texts.map { $0[...] }
    let walk = Walk(over: colors.count, step: 100_000)
    return Contender(
      "Substring", items: walk.step,
      check: { colors.fault { (try? RGBColor(hex: substrings[$0])) ?? ColorTexts.fallback } },
      {
        let texts = substrings.span
        var sum = 0
        for index in walk.next() { sum &+= ((try? RGBColor(hex: texts[index])) ?? ColorTexts.fallback).sum }
        return sum
      })
  }

  /// Returns a contender that reads consecutive texts in one buffer, as in a document.
  private static func bytes(_ colors: ColorTexts) -> Contender {
    let buffer = colors.texts.flatMap { Array($0.utf8) }
    var ends: [Int] = [0]
    for text in colors.texts { ends.append(ends[ends.count - 1] + text.utf8.count) }
    let starts = ends
    let walk = Walk(over: colors.count, step: 100_000)
    return Contender(
      "bytes", items: walk.step,
      check: {
        colors.fault {
          (try? RGBColor(hex: buffer.span.extracting(starts[$0]..<starts[$0 + 1]))) ?? ColorTexts.fallback
        }
      },
      {
        let (bytes, starts) = (buffer.span, starts.span)
        var sum = 0
        for index in walk.next() {
          let text = bytes.extracting(starts[index]..<starts[index + 1])
          sum &+= RGBColor(hex: text, default: ColorTexts.fallback).sum
        }
        return sum
      })
  }

  private static func formatting(_ colors: ColorTexts) -> Row {
    let walk = Walk(over: colors.count, step: 50_000)
    let slow = Walk(over: colors.count, step: 2000)
    let values = colors.values
    let lowercased: (Int) -> String = { colors.texts[$0].lowercased() }
    return Row(
      "colour", "format #rrggbb",
      ours: Contender(
        "hex", items: walk.step, check: { colors.fault(expected: lowercased) { values[$0].hex } },
        {
          var sum = 0
          for index in walk.next() { sum &+= values[index].hex.utf8.count }
          return sum
        }),
      baselines: [
        Contender(
          "String(format:)", items: slow.step,
          check: { colors.fault(expected: lowercased) { ColorBaseline.format(values[$0]) } },
          {
            var sum = 0
            for index in slow.next() { sum &+= ColorBaseline.format(values[index]).utf8.count }
            return sum
          })
      ])
  }
}

/// Different texts, and their colours.
///
/// With only a thousand texts, the processor's branch predictor learns every branch, which does not happen when a program reads a
/// document.
struct ColorTexts {
  /// The colour for an invalid text.
  static var fallback: RGBColor { RGBColor(red: 255, green: 255, blue: 255) }

  let texts: [String]
  /// The colour of each text, or ``fallback`` if the text is invalid.
  let values: [RGBColor]

  var count: Int { texts.count }

  /// Texts `#RRGGBB` with letters of either case.
  static var uniform: ColorTexts {
    var numbers = SeededNumbers(seed: 1)
    return ColorTexts { ColorText(digits: 6, &numbers).hash() }
  }

  /// Texts with 3, 4, 6 and 8 digits in equal numbers.
  ///
  /// Every second text has a number sign, every fourth has surrounding whitespace, and every tenth has a `g`.
  static var mixed: ColorTexts {
    var numbers = SeededNumbers(seed: 2)
    return ColorTexts {
      var text = ColorText(digits: [3, 4, 6, 8].randomElement(using: &numbers) ?? 3, &numbers)
      if Int.random(in: 0..<10, using: &numbers) == 0 {
        let place = Int.random(in: 0..<text.bytes.count, using: &numbers)
        (text.bytes[place], text.color) = (UInt8(ascii: "g"), fallback)
      }
      if Bool.random(using: &numbers) { text = text.hash() }
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        let spaces = [UInt8](repeating: 0x20, count: 2)
        text.bytes = spaces.prefix(.random(in: 0...2, using: &numbers)) + text.bytes
        text.bytes += spaces.prefix(.random(in: 0...2, using: &numbers))
      }
      return text
    }
  }

  private init(_ next: () -> ColorText) {
    var (texts, values): ([String], [RGBColor]) = ([], [])
    for _ in 0..<Workload.texts {
      let text = next()
      texts.append(String(decoding: text.bytes, as: UTF8.self))
      values.append(text.color)
    }
    (self.texts, self.values) = (texts, values)
  }

  /// Returns the first text that is not read as its colour.
  func fault(_ read: (Int) -> RGBColor) -> String? {
    texts.indices.first { read($0) != values[$0] }.map { "\(texts[$0].debugDescription) is read as \(read($0))" }
  }

  /// Returns the first colour that is not written as expected.
  func fault(expected: (Int) -> String, _ write: (Int) -> String) -> String? {
    texts.indices.first { write($0) != expected($0) }.map { "\(expected($0)) is written as \(write($0))" }
  }
}

/// A text and its colour.
private struct ColorText {
  var bytes: [UInt8] = []
  var color: RGBColor

  init(digits: Int, _ numbers: inout SeededNumbers) {
    var random = numbers.next()
    var values: [UInt8] = []
    for _ in 0..<digits {
      let value = UInt8(random & 15)
      let letter = random & 16 == 0 ? UInt8(ascii: "a") : UInt8(ascii: "A")
      bytes.append(value < 10 ? UInt8(ascii: "0") + value : letter + value - 10)
      values.append(value)
      random >>= 5
    }
    if digits < 6 { values = values.flatMap { [$0, $0] } }
    color = RGBColor(
      red: values[0] * 16 + values[1], green: values[2] * 16 + values[3], blue: values[4] * 16 + values[5],
      alpha: values.count == 8 ? values[6] * 16 + values[7] : 255)
  }

  /// Returns the same text with a number sign.
  func hash() -> ColorText {
    var text = self
    text.bytes.insert(UInt8(ascii: "#"), at: 0)
    return text
  }
}

extension RGBColor {
  fileprivate var sum: Int { Int(red) &+ Int(green) &+ Int(blue) }
}

/// The baselines from Swift and the tutorial.
enum ColorBaseline {
  /// Reads a colour like the tutorial's category on UIColor: trim, upper case, three scanners.
  static func tutorial(_ text: String) -> RGBColor {
    var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    guard trimmed.count >= 6 else { return ColorTexts.fallback }
    if trimmed.hasPrefix("#") { trimmed = String(trimmed.dropFirst()) }
    guard trimmed.count == 6 else { return ColorTexts.fallback }
    func channel(_ start: Int) -> UInt8 {
      let from = trimmed.index(trimmed.startIndex, offsetBy: start)
      let digits = String(trimmed[from..<trimmed.index(from, offsetBy: 2)])
      var value: UInt64 = 0
      // The scanner stores an integer in a variable that is valid during the call.
      return unsafe Scanner(string: digits).scanHexInt64(&value) ? UInt8(truncatingIfNeeded: value) : 0
    }
    return RGBColor(red: channel(0), green: channel(2), blue: channel(4))
  }

  /// Reads a colour like typical code of today, with six digits only.
  static func radix(_ text: String) -> RGBColor {
    var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if trimmed.hasPrefix("#") { trimmed.removeFirst() }
    guard trimmed.count == 6, let value = UInt32(trimmed, radix: 16) else { return ColorTexts.fallback }
    return RGBColor(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }

  static func format(_ color: RGBColor) -> String {
    String(format: "#%02x%02x%02x", color.red, color.green, color.blue)
  }
}
