// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TestSupport
import Testing

/// The hot path against the standards' own words.
struct FormEncodingOracleTests {
  private static func checkEncoding(_ bytes: [UInt8]) {
    for encoding in [FormEncoding.form, .query] {
      var buffer: [UInt8] = []
      encoding.append(bytes.span, to: &buffer)
      if buffer != PlainFormEncoding.write(bytes, encoding) { Issue.record("\(encoding) \(bytes)") }
    }
  }

  private static func checkDecoding(_ bytes: [UInt8]) {
    let expected = PlainFormEncoding.read(bytes).map { [$0, $1] }
    let fields = FormEncoding.form.decode(bytes.span).map { [$0.name, $0.value] }
    // Strings compare by meaning, and these must be the same bytes.
    if fields.map({ $0.map { Array($0.utf8) } }) != expected.map({ $0.map { Array($0.utf8) } }) {
      Issue.record("\(bytes): \(fields), \(expected)")
    }
  }

  @Test func agreesForEveryTwoBytesAndForPlainTextOfEveryLength() {
    for length in 0...300 { Self.checkEncoding([UInt8](repeating: UInt8(ascii: "a"), count: length)) }
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

  @Test func readsNothingBeyondTheEndsOfAPage() throws {
    let page = try GuardedPage()
    var numbers = SeededNumbers(seed: 9)
    for length in 0...200 {
      let bytes = numbers.bytes(upTo: length, of: "abcdefghijkl/é")
      for encoding in [FormEncoding.form, .query] {
        let written = page.atBothEnds(bytes) { span in
          var buffer: [UInt8] = []
          encoding.append(span, to: &buffer)
          return buffer
        }
        #expect(written.allSatisfy { $0 == PlainFormEncoding.write(bytes, encoding) })
      }
      let form = numbers.bytes(upTo: length, of: "ab%4C+=&") + Array("%4".utf8)
      let read = page.atBothEnds(form) { FormEncoding.form.decode($0) }
      #expect(read.allSatisfy { $0 == FormEncoding.form.decode(form.span) })
    }
  }
}
