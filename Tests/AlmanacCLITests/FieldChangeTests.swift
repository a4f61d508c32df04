// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import CalendarAPI
import JSONCoding
import Testing

@Suite struct FieldChangeTests {
  private func json(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

  @Test func twoPatchesDoTheSameOneAfterTheOtherAndAsOne() throws {
    let old = try json(#"{"a":1,"b":{"c":2,"d":3},"e":4}"#)
    let (first, second) = (
      try json(#"{"a":null,"b":{"c":5},"f":{"g":1}}"#), try json(#"{"a":6,"b":{"d":null},"f":{"g":null,"h":2}}"#)
    )
    #expect(
      old.applying(mergePatch: first.followed(byMergePatch: second))
        == old.applying(mergePatch: first).applying(mergePatch: second))
  }

  @Test func onlyChangedFieldsAreRows() throws {
    let old = try json(#"{"summary":"A","location":"B","reminders":{"useDefault":true},"attendees":[{"email":"a@x"}]}"#)
    let patch = try json(
      #"""
      {"summary":"A","location":null,"description":"C","color":null,"reminders":{"useDefault":false,"overrides":[]},
      "attendees":[{"email":"a@x"},{"email":"b@x"}]}
      """#)
    #expect(
      FieldChange.between(old, patch) == [
        FieldChange("attendees", from: "a@x", to: "a@x, b@x"), FieldChange("description", from: nil, to: "C"),
        FieldChange("location", from: "B", to: nil), FieldChange("reminders.overrides", from: nil, to: "none"),
        FieldChange("reminders.useDefault", from: "true", to: "false"),
      ])
  }

  @Test(arguments: [
    (#""text""#, "text"), ("null", nil), ("[]", "none"), ("7", "7"), ("true", "true"), (#"{"a": 1}"#, nil),
    (#"["a", "b"]"#, "a, b"), (#"[{"email": "a@x"}, {"email": "b@x", "self": true}]"#, "a@x, b@x"),
    (#"[{"email": "a@x"}, {}]"#, #"[{"email":"a@x"},{}]"#), ("[1]", "[1]"), (#"["a", 1]"#, #"["a",1]"#),
  ])
  func fieldTextIsReadable(_ json: String, _ text: String?) throws {
    let value = try JSONValue(json: Array(json.utf8))
    let changes = FieldChange.between(.object([:]), .object(["f": value]))
    if json.hasPrefix("{") {
      #expect(changes == [FieldChange("f.a", from: nil, to: "1")])
    } else {
      #expect(changes == (json == "null" ? [] : [FieldChange("f", from: nil, to: text)]))
      #expect(FieldChange.between(.object(["f": value]), .object(["f": value])).isEmpty)
      if json != "null" {
        #expect(
          FieldChange.between(.object(["f": value]), .object(["f": .null])) == [FieldChange("f", from: text, to: nil)])
      }
    }
  }
}
