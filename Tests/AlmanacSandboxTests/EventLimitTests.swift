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

  private func expect(_ answer: Answer, _ isAccepted: Bool) {
    #expect(answer.status == (isAccepted ? 200 : 400) && answer.reason == (isAccepted ? nil : "invalid"))
  }

  @Test(arguments: [(5, true), (6, false)]) func reminders(count: Int, isAccepted: Bool) async throws {
    let list = (0..<count).map { #"{"method":"popup","minutes":\#($0)}"# }.joined(separator: ",")
    let answer = try await insert(#""reminders":{"useDefault":false,"overrides":[\#(list)]}"#)
    expect(answer, isAccepted)
  }

  @Test(arguments: [(-1, false), (0, true), (40_320, true), (40_321, false)])
  func minutesOfAReminder(minutes: Int, isAccepted: Bool) async throws {
    let answer = try await insert(
      #""reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":\#(minutes)}]}"#)
    expect(answer, isAccepted)
  }

  @Test(arguments: [(25, true), (26, false)]) func attachments(count: Int, isAccepted: Bool) async throws {
    let list = (0..<count).map { #"{"fileUrl":"https://example.com/\#($0)"}"# }.joined(separator: ",")
    expect(try await insert(#""attachments":[\#(list)]"#), isAccepted)
  }

  @Test(
    "Both scopes of extended properties count",
    arguments: [(300, 0, true), (0, 300, true), (150, 150, true), (150, 151, false), (301, 0, false)])
  func extendedProperties(privates: Int, shared: Int, isAccepted: Bool) async throws {
    let members = { (count: Int) in (0..<count).map { #""n\#($0)":"v""# }.joined(separator: ",") }
    let answer = try await insert(
      #""extendedProperties":{"private":{\#(members(privates))},"shared":{\#(members(shared))}}"#)
    expect(answer, isAccepted)
  }

  @Test(arguments: [(1020, true), (1021, false)])
  func sizeOfExtendedProperties(length: Int, isAccepted: Bool) async throws {
    // 32 names of four bytes with values of 1,020 bytes are 32 KiB.
    let members = (0..<32).map { number in
      let value = String(repeating: "v", count: number == 0 ? length : 1020)
      return #""n\#(String(number + 100))":"\#(value)""#
    }
    let answer = try await insert(#""extendedProperties":{"private":{\#(members.joined(separator: ","))}}"#)
    expect(answer, isAccepted)
  }

  @Test func longNamesAreLeftOutAndLongValuesCut() async throws {
    let (kept, left) = (String(repeating: "k", count: 44), String(repeating: "l", count: 45))
    let (whole, long) = (String(repeating: "é", count: 1024), String(repeating: "é", count: 1025))
    let made = try await insert(
      #""extendedProperties":{"shared":{"\#(kept)":"\#(whole)","\#(left)":"x","cut":"\#(long)"},"other":{"a":"b"}}"#)
    #expect(made.status == 200)
    #expect(made.value("extendedProperties", "shared") as? [String: String] == [kept: whole, "cut": whole])
  }

  @Test(
    "Identifiers",
    arguments: [
      ("abcd", false), ("abcde", true), ("av059", true), ("abcdw", false), ("abcd:", false), ("abcd/", false),
      ("Abcde", false), ("abcd`", false), (String(repeating: "a", count: 1024), true),
      (String(repeating: "a", count: 1025), false),
    ])
  func identifiers(id: String, isAccepted: Bool) async throws {
    expect(try await insert(#""id":"\#(id)""#), isAccepted)
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
