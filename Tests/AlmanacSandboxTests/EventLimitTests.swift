// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// The limits of an event, each at the limit and one beyond it.
@Suite struct EventLimitTests {
  private static let day = #""start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}"#

  private func insert(_ member: String) async throws -> Answer {
    let harness = try SandboxHarness()
    return try await harness.call(
      .post, "calendars/primary/events?supportsAttachments=true", "{\(member),\(Self.day)}",
      token: try await harness.token())
  }

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: ",")
  }

  private static func reminders(_ count: Int) -> String {
    #""reminders":{"useDefault":false,"overrides":[\#(list(count) { #"{"method":"popup","minutes":\#($0)}"# })]}"#
  }

  private static func minutes(_ minutes: Int) -> String {
    #""reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":\#(minutes)}]}"#
  }

  private static func attachments(_ count: Int) -> String {
    #""attachments":[\#(list(count) { #"{"fileUrl":"https://example.com/\#($0)"}"# })]"#
  }

  /// Both scopes of extended properties count.
  private static func properties(_ privates: Int, _ shared: Int) -> String {
    let members = { (count: Int) in list(count) { #""n\#($0)":"v""# } }
    return #""extendedProperties":{"private":{\#(members(privates))},"shared":{\#(members(shared))}}"#
  }

  /// 32 names of four bytes with values of 1,020 bytes are 32 KiB.
  private static func sizedProperties(_ length: Int) -> String {
    let members = list(32) { number in
      #""n\#(number + 100)":"\#(String(repeating: "v", count: number == 0 ? length : 1020))""#
    }
    return #""extendedProperties":{"private":{\#(members)}}"#
  }

  private static let limits: [(String, Bool)] = [
    (reminders(5), true), (reminders(6), false), (minutes(-1), false), (minutes(0), true), (minutes(40_320), true),
    (minutes(40_321), false), (attachments(25), true), (attachments(26), false), (properties(300, 0), true),
    (properties(0, 300), true), (properties(150, 150), true), (properties(150, 151), false),
    (properties(301, 0), false), (sizedProperties(1020), true), (sizedProperties(1021), false),
  ]
  private static let identifiers: [(String, Bool)] = [
    ("abcd", false), ("abcde", true), ("av059", true), ("abcdw", false), ("abcd:", false), ("abcd/", false),
    ("Abcde", false), ("abcd`", false), (String(repeating: "a", count: 1024), true),
    (String(repeating: "a", count: 1025), false),
  ]

  @Test(arguments: limits + identifiers.map { (#""id":"\#($0)""#, $1) })
  func eventIsAcceptedUpToTheLimit(_ member: String, _ isAccepted: Bool) async throws {
    let answer = try await insert(member)
    #expect(answer.status == (isAccepted ? 200 : 400) && answer.reason == (isAccepted ? nil : "invalid"))
  }

  @Test func longNamesAreLeftOutAndLongValuesCut() async throws {
    let (kept, left) = (String(repeating: "k", count: 44), String(repeating: "l", count: 45))
    let (whole, long) = (String(repeating: "é", count: 1024), String(repeating: "é", count: 1025))
    let made = try await insert(
      #""extendedProperties":{"shared":{"\#(kept)":"\#(whole)","\#(left)":"x","cut":"\#(long)"},"other":{"a":"b"}}"#)
    #expect(made.status == 200)
    #expect(made.value("extendedProperties", "shared") as? [String: String] == [kept: whole, "cut": whole])
  }

  @Test func anAttendeeIsListedOnceInLowerCase() async throws {
    let made = try await insert(
      #""attendees":[{"email":"Eva@Example.net","responseStatus":"accepted"},{"email":"eva@example.net"},{"email":"al@example.net"}]"#
    )
    let attendees = try #require(made.object["attendees"] as? [[String: Any]])
    #expect(attendees.map { $0["email"] as? String } == ["eva@example.net", "al@example.net"])
    #expect(attendees.map { $0["responseStatus"] as? String } == ["accepted", "needsAction"])
  }

  @Test(
    "maxAttendees leaves out all others if there are more",
    arguments: [(1, true), (2, false), (3, false)])
  func maxAttendees(limit: Int, isCut: Bool) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let json = #"{"id":"abcde","attendees":[{"email":"person@example.com"},{"email":"eva@example.net"}],\#(Self.day)}"#
    #expect(try await harness.call(.post, "calendars/primary/events", json, token: token).status == 200)
    let path = "calendars/primary/events/abcde?maxAttendees="
    let read = try await harness.call(.get, path + "\(limit)", token: token)
    let attendees = try #require(read.object["attendees"] as? [[String: Any]])
    #expect(attendees.count == (isCut ? 1 : 2) && attendees[0]["email"] as? String == "person@example.com")
    #expect(read.object["attendeesOmitted"] as? Bool == (isCut ? true : nil))
    #expect(try await harness.call(.get, path + "0", token: token).reason == "invalidParameter")
  }

  @Test func defaultsAndEmptyValuesAreOmitted() async throws {
    let made = try await insert(
      #"""
      "summary":"S","description":"","attendees":[],"recurrence":[],"visibility":"default","transparency":"opaque",
      "guestsCanModify":false,"guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"anyoneCanAddSelf":false,
      "extendedProperties":{"private":{}},"reminders":{"useDefault":false,"overrides":[]}
      """#)
    #expect(
      Set(made.object.keys) == [
        "kind", "etag", "id", "status", "htmlLink", "created", "updated", "summary", "creator", "organizer", "start",
        "end", "iCalUID", "sequence", "reminders", "eventType",
      ])
    #expect(made.object["reminders"] as? [String: Bool] == ["useDefault": false])
    let other = try await insert(
      #"""
      "visibility":"public","transparency":"transparent","guestsCanInviteOthers":false,"guestsCanModify":true,
      "attendees":[{"email":"ana@example.com","optional":false,"additionalGuests":0}]
      """#)
    #expect(other["visibility"] == "public" && other["transparency"] == "transparent")
    #expect(other.object["guestsCanInviteOthers"] as? Bool == false && other.object["guestsCanModify"] as? Bool == true)
    let attendee = try #require((other.object["attendees"] as? [[String: Any]])?.first)
    #expect(Set(attendee.keys) == ["email", "responseStatus"])
  }
}
