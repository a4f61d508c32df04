// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import TestSupport
import Testing

/// The cases of JSONTestSuite as the value of a field: the reader of schemas accepts what the reader of any value accepts, wherever
/// the field stands.
@Suite struct JSONTestSuiteTests {
  /// The places of the text: a field without a property, fields of text, times, objects and lists, a map of texts, and an element of a list.
  private static let places = [
    #"{"unknown":TEXT}"#, #"{"summary":TEXT}"#, #"{"updated":TEXT}"#, #"{"start":TEXT}"#, #"{"sequence":TEXT}"#,
    #"{"attendees":TEXT}"#, #"{"attendees":[{"email":"a@example.com","unknown":TEXT}]}"#,
    #"{"extendedProperties":TEXT}"#, #"{"extendedProperties":{"private":TEXT}}"#,
    #"{"extendedProperties":{"shared":{"key":TEXT}}}"#,
    #"{"reminders":{"overrides":[{"method":"popup","minutes":TEXT}]}}"#,
  ]

  @Test(arguments: places) func aCaseIsAValueOrNot(_ place: String) throws {
    let parts = place.split(separator: "TEXT", omittingEmptySubsequences: false)
    var counts = (accepted: 0, refused: 0)
    // A byte order mark is ignored only at the beginning of a text.
    for test in try JSONTestSuite.cases() where test.name != "structure_UTF-8_BOM_empty_object" {
      let text = Array(parts[0].utf8) + test.text + Array(parts[1].utf8)
      let isAccepted = (try? JSONValue(json: test.text)) != nil
      let value = try? JSONValue(json: text)
      #expect((value != nil) == isAccepted, "\(test.kind)_\(test.name), the reader of any value")
      let event = try? Event(json: text)
      #expect((event != nil) == isAccepted, "\(test.kind)_\(test.name), the reader of schemas")
      if isAccepted { counts.accepted += 1 } else { counts.refused += 1 }
      // What does not fit its property is kept, and written as it was.
      if let event, let value, place.hasPrefix(#"{"unknown""#) {
        #expect(event.additionalFields["unknown"] == value["unknown"], "\(test.name)")
        #expect(try JSONValue(json: event.json()) == value, "\(test.name)")
      }
      if let event { #expect(try Event(json: event.json()) == event, "\(test.name)") }
    }
    #expect(counts.accepted + counts.refused == 317 && counts.accepted >= 95 && counts.refused >= 188)
  }
}
