import Foundation
import HexColor

/// Colours: H1 is all `#RRGGBB`, H2 what people write.
enum ColorRows {
  static var rows: [Row] {
    [("H1 #RRGGBB", uniform), ("H2 mixed", mixed)].flatMap { name, texts in
      let substrings = texts.map { $0[...] }
      let bytes = texts.map { Array($0.utf8) }
      let baselines = [
        Contender("tutorial") { texts.reduce(0) { $0 &+ (ColorBaseline.tutorial($1)?.sum ?? 0) } },
        Contender("UInt32(_:radix:)") { texts.reduce(0) { $0 &+ (ColorBaseline.radix($1)?.sum ?? 0) } },
      ]
      return [
        Row(
          "colour", name, items: texts.count,
          ours: Contender("String") {
            var sum = 0
            for text in texts { sum &+= RGBColor(hex: text, default: .white).sum }
            return sum
          }, baselines: baselines),
        Row(
          "colour", name + ", Substring", items: texts.count,
          ours: Contender("Substring") {
            var sum = 0
            for text in substrings { sum &+= (try? RGBColor(hex: text))?.sum ?? 0 }
            return sum
          }, baselines: baselines),
        Row(
          "colour", name + ", bytes", items: texts.count,
          ours: Contender("bytes") {
            var sum = 0
            for text in bytes { sum &+= (try? RGBColor(hex: text.span))?.sum ?? 0 }
            return sum
          }, baselines: baselines),
      ]
    } + [formatting]
  }

  private static var formatting: Row {
    let colors = uniform.map { RGBColor(hex: $0, default: .white) }
    return Row(
      "colour", "format #rrggbb", items: colors.count,
      ours: Contender("hex") {
        var sum = 0
        for color in colors { sum &+= color.hex.utf8.count }
        return sum
      },
      baselines: [
        Contender("String(format:)") {
          colors.reduce(0) { $0 &+ String(format: "#%02x%02x%02x", $1.red, $1.green, $1.blue).utf8.count }
        }
      ])
  }

  private static let uniform: [String] = {
    var numbers = SeededNumbers(seed: 1)
    return (0..<1024).map { _ in "#" + numbers.text(6, of: Alphabet.hex) }
  }()

  private static let mixed: [String] = {
    var numbers = SeededNumbers(seed: 2)
    return (0..<1024).map { _ in
      let length = [3, 4, 8].randomElement(using: &numbers) ?? 3
      var text = numbers.text(Int.random(in: 0..<5, using: &numbers) == 0 ? length : 6, of: Alphabet.hex)
      if Int.random(in: 0..<4, using: &numbers) > 0 { text = "#" + text }
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0: return text.dropLast() + "g"
      case 1: return "  " + text
      case 2: return text + "\n"
      default: return text
      }
    }
  }()
}

extension RGBColor {
  fileprivate var sum: Int { Int(red) &+ Int(green) &+ Int(blue) }
}

/// The same with what comes with Swift.
enum ColorBaseline {
  /// The tutorial's category on UIColor: trim, upper case, three scanners.
  static func tutorial(_ text: String) -> RGBColor? {
    var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).uppercased()
    guard trimmed.count >= 6 else { return nil }
    if trimmed.hasPrefix("#") { trimmed = String(trimmed.dropFirst()) }
    guard trimmed.count == 6 else { return nil }
    func channel(_ start: Int) -> UInt8 {
      let from = trimmed.index(trimmed.startIndex, offsetBy: start)
      let digits = String(trimmed[from..<trimmed.index(from, offsetBy: 2)])
      var value: UInt64 = 0
      return unsafe Scanner(string: digits).scanHexInt64(&value) ? UInt8(truncatingIfNeeded: value) : 0
    }
    return RGBColor(red: channel(0), green: channel(2), blue: channel(4))
  }

  /// What most people write today; six digits only.
  static func radix(_ text: String) -> RGBColor? {
    var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if trimmed.hasPrefix("#") { trimmed.removeFirst() }
    guard trimmed.count == 6, let value = UInt32(trimmed, radix: 16) else { return nil }
    return RGBColor(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }
}
