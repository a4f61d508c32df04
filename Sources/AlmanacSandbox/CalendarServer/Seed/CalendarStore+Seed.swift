// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

extension CalendarStore {
  /// Creates the users and calendars of a seed.
  init(_ seed: Sandbox.Seed, now: Timestamp) throws(SandboxError) {
    for user in seed.users { add(user, now: now) }
    for (index, calendar) in seed.calendars.enumerated() {
      let place = "calendars[\(index)]"
      let owner = calendar.owner ?? seed.users.first?.email ?? ""
      guard accounts[owner] != nil else { throw SandboxError("In the seed, \(place).owner is not one of the users.") }
      try add(calendar, place, Seeding(owner: owner, now: now))
    }
    _ = takeRecords()
  }

  private mutating func add(_ calendar: Sandbox.Seed.Calendar, _ place: String, _ seeding: Seeding) throws(SandboxError)
  {
    var path = ["calendarId": seeding.owner]
    if !calendar.isPrimary {
      path["calendarId"] = try perform(.calendarsInsert, [:], calendar.fields, place, seeding)["id"]?.string
    } else if !calendar.fields.isEmpty {
      try perform(.calendarsPatch, path, calendar.fields, place, seeding)
    }
    for (index, rule) in calendar.rules.enumerated() {
      try perform(.aclInsert, path, rule, "\(place).acl[\(index)]", seeding)
    }
    for (index, event) in calendar.events.enumerated() {
      let method: CalendarMethod = event["iCalUID"] == nil ? .eventsInsert : .eventsImport
      try perform(method, path, event, "\(place).events[\(index)]", seeding)
    }
  }

  /// Performs a call as its owner.
  ///
  /// - Parameter place: The path of the body in the seed, for error messages.
  @discardableResult
  private mutating func perform(
    _ method: CalendarMethod, _ path: [String: String], _ body: [String: JSONValue], _ place: String,
    _ seeding: Seeding
  ) throws(SandboxError) -> [String: JSONValue] {
    do throws(APIFault) {
      guard case .resource(let resource) = try perform(seeding.call(method, path, body)) else { return [:] }
      return resource
    } catch {
      throw SandboxError("In the seed, \(place) is invalid: \(error.message)")
    }
  }
}

/// Creates API calls for the owner of a calendar.
private struct Seeding {
  let owner: String
  let now: Timestamp

  func call(
    _ method: CalendarMethod, _ path: [String: String], _ body: [String: JSONValue]
  ) throws(APIFault) -> CalendarCall {
    let parameters = try CallParameters(
      Parameters("conferenceDataVersion=1&supportsAttachments=true&sendUpdates=none"), of: method)
    return CalendarCall(
      method: method, path: path, parameters: parameters,
      body: try method.request.flatMap { ResourceSchema.all[$0] }?.writable(body) ?? body, ifMatch: nil, user: owner,
      clientID: "seed", scopes: ["calendar"], now: now, origin: "")
  }
}
