import HTTPTransport
import Testing

/// The hot path against the standards' own words.
struct FormEncodingOracleTests {
  private static let form = plainTable("*-._", space: "+")
  private static let query = plainTable("-._~", space: "%20")

  /// For each byte what stands for it.
  private static func plainTable(_ marks: String, space: String) -> [[UInt8]] {
    let unescaped = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + marks
    return (UInt8.min...UInt8.max).map { byte in
      if unescaped.utf8.contains(byte) { return [byte] }
      if byte == 0x20 { return Array(space.utf8) }
      return Array(("%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)).utf8)
    }
  }

  private static func plain(_ bytes: [UInt8], _ encoding: FormEncoding) -> [UInt8] {
    let table = encoding == .form ? form : query
    return bytes.flatMap { table[Int($0)] }
  }

  /// Reads by the parser of WHATWG URL § 5.1, a step at a time, into bytes.
  private static func plainFields(_ bytes: [UInt8]) -> [([UInt8], [UInt8])] {
    bytes.split(separator: UInt8(ascii: "&")).map { sequence in
      let equals = sequence.firstIndex(of: UInt8(ascii: "=")) ?? sequence.endIndex
      return (unescape(sequence[..<equals]), unescape(sequence[equals...].dropFirst()))
    }
  }

  private static func unescape(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (rest, result) = (bytes, [UInt8]())
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        digits.allSatisfy({ $0 < 0x80 }), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return result
  }

  /// The decoder of WHATWG Encoding § 8.1.1, which says where one U+FFFD ends and the next begins.
  private static func text(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var (value, needed, lower, upper) = (UInt32(0), 0, UInt8(0x80), UInt8(0xBF))
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if needed > 0 {
        if byte < lower || byte > upper {
          needed = 0
          index -= 1
          scalars.append("\u{FFFD}")
        } else {
          value = value << 6 | UInt32(byte & 0x3F)
          needed -= 1
          if needed == 0, let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        (lower, upper) = (0x80, 0xBF)
        continue
      }
      switch byte {
      case 0x00...0x7F: scalars.append(Unicode.Scalar(byte))
      case 0xC2...0xDF: (value, needed) = (UInt32(byte & 0x1F), 1)
      case 0xE0...0xEF:
        (value, needed) = (UInt32(byte & 0x0F), 2)
        if byte == 0xE0 { lower = 0xA0 }
        if byte == 0xED { upper = 0x9F }
      case 0xF0...0xF4:
        (value, needed) = (UInt32(byte & 0x07), 3)
        if byte == 0xF0 { lower = 0x90 }
        if byte == 0xF4 { upper = 0x8F }
      default: scalars.append("\u{FFFD}")
      }
    }
    if needed > 0 { scalars.append("\u{FFFD}") }
    return String(scalars)
  }

  private static func checkEncoding(_ bytes: [UInt8]) {
    for encoding in [FormEncoding.form, .query] {
      var buffer: [UInt8] = []
      encoding.append(bytes.span, to: &buffer)
      if buffer != plain(bytes, encoding) { Issue.record("\(encoding) \(bytes)") }
    }
  }

  private static func checkDecoding(_ bytes: [UInt8]) {
    let expected = plainFields(bytes).map { [text($0), text($1)] }
    let fields = FormEncoding.form.decode(bytes.span).map { [$0.name, $0.value] }
    // Strings compare by meaning, and these must be the same bytes.
    if fields.map({ $0.map { Array($0.utf8) } }) != expected.map({ $0.map { Array($0.utf8) } }) {
      Issue.record("\(bytes): \(fields), \(expected)")
    }
  }

  @Test func agreesForEveryTwoBytes() {
    for first in UInt8.min...UInt8.max {
      // One call a first byte, so that each pair also stands somewhere else in a block of sixteen.
      Self.checkEncoding((UInt8.min...UInt8.max).flatMap { [first, $0] })
      Self.checkEncoding([first])
    }
  }

  @Test func agreesForEveryByteAtEveryPlaceOfABlock() {
    for index in 0..<36 {
      for byte in UInt8.min...UInt8.max {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 36)
        bytes[index] = byte
        Self.checkEncoding(bytes)
      }
    }
  }

  @Test(arguments: ["abcXYZ019-_.", "abc/ é", "日本語会議", "~*+&= "])
  func agreesForRandomText(alphabet: String) {
    var numbers = SeededNumbers(seed: UInt64(alphabet.utf8.count))
    for _ in 0..<SeededNumbers.rounds / 50 { Self.checkEncoding(numbers.bytes(upTo: 600, of: alphabet)) }
  }

  @Test func agreesForRandomForms() {
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<SeededNumbers.rounds {
      Self.checkDecoding(numbers.bytes(upTo: 24, of: "a=b&=&+%%%41cC3eE2F0fF"))
    }
  }

  @Test func replacesWhatIsNotUTF8AsTheStandardSays() {
    let bounds: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    for first in bounds + [0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF] {
      for second in bounds {
        for third in [0x41, 0x80, 0xBF, 0xE2] as [UInt8] {
          for fourth in [0x41, 0x9F, 0xC2] as [UInt8] { Self.checkDecoding([first, second, third, fourth]) }
        }
      }
    }
  }

  @Test func everyFormReadsBackAsItWas() {
    var numbers = SeededNumbers(seed: 8)
    for _ in 0..<SeededNumbers.rounds / 50 {
      var fields = FormFields()
      for _ in 0..<Int.random(in: 0..<12, using: &numbers) {
        let name = String(decoding: numbers.bytes(upTo: 20, of: "abc d&=%é"), as: UTF8.self)
        fields.append(name, String(decoding: numbers.bytes(upTo: 300, of: "tokenTOKEN-_./ 日本"), as: UTF8.self))
      }
      for encoding in [FormEncoding.form, .query] {
        let text: String = encoding.encode(fields)
        #expect(!fields.isEmpty || text.isEmpty)
        if encoding.decode(text) != fields { Issue.record("\(text)") }
      }
    }
  }

  @Test func readsNothingBeyondTheEndOfAPage() throws {
    let page = try GuardedPage()
    var numbers = SeededNumbers(seed: 9)
    for length in 0...200 {
      let bytes = numbers.bytes(upTo: length, of: "abcdefghijkl/é")
      for encoding in [FormEncoding.form, .query] {
        let buffer = page.withBytesAtTheEnd(bytes) { span in
          var buffer: [UInt8] = []
          encoding.append(span, to: &buffer)
          return buffer
        }
        #expect(buffer == Self.plain(bytes, encoding))
      }
      let fields = page.withBytesAtTheEnd(bytes) { FormEncoding.form.decode($0) }
      #expect(fields == FormEncoding.form.decode(bytes.span))
    }
  }
}
