// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import TestSupport
import Testing

/// Schemas read what is JSON and nothing else; ``JSONValue`` is compared with a plain reader in the tests of its module.
struct JSONReadingTests {
  @Test(arguments: ["0", "7", "-1", "123456789012345678", "9223372036854775807", "-9223372036854775808", "1e3", "20.0"])
  func wholeNumbersAreRead(_ text: String) throws {
    let event = try Event(json: Array("{\"sequence\":\(text)}".utf8))
    #expect(event.sequence == Double(text).flatMap { Int(text) ?? Int(exactly: $0) })
    #expect(event.additionalFields.isEmpty)
  }

  @Test(arguments: ["9223372036854775808", "1.5", "1e400", "\"1\"", "true"])
  func whatIsNoWholeNumberIsKept(_ text: String) throws {
    let event = try Event(json: Array("{\"sequence\":\(text)}".utf8))
    #expect(event.sequence == nil)
    #expect(event.additionalFields.count == 1)
  }

  @Test(arguments: ["00", "01", "1x", "-"]) func whatIsNoNumberIsRefused(_ text: String) {
    #expect(throws: CalendarError.self) { try Event(json: Array("{\"sequence\":\(text)}".utf8)) }
  }

  @Test func damagedTextsAreReadAsByTheGeneralReader() throws {
    let seed = Array(SchemaTests.event.utf8)
    let bytes = Array("\"\\{}[]:,0123456789-+.eEtrufalsn \n\u{1}ñx".utf8)
    var numbers = SeededNumbers(seed: 12)
    for _ in 0..<3000 {
      let text = numbers.damaged(seed, with: bytes)
      // A schema reads what is an object.
      let event = try? Event(json: text)
      #expect((event != nil) == ((try? JSONValue(json: text))?.object != nil))
    }
  }
}
