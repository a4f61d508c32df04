// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

extension CalendarStore {
  /// The users and calendars of a seed.
  init(_ seed: Sandbox.Seed, now: Timestamp) throws(SandboxError) {
    for user in seed.users { add(user, now: now) }
    for (index, calendar) in seed.calendars.enumerated() {
      do throws(APIFault) {
        try add(calendar, of: calendar["owner"]?.string ?? seed.users.first?.email ?? "", now: now)
      } catch {
        throw SandboxError("Calendar \(index + 1) of the seed is refused: \(error.message)")
      }
    }
    _ = takeRecords()
  }

  private mutating func add(_ calendar: [String: JSONValue], of owner: String, now: Timestamp) throws(APIFault) {
    var fields = calendar
    for name in ["owner", "acl", "events", "primary"] { fields[name] = nil }
    var path = ["calendarId": owner]
    if calendar["primary"] == true {
      if !fields.isEmpty { _ = try perform("calendars.patch", path, fields, as: owner, now) }
    } else {
      let made = try perform("calendars.insert", [:], fields, as: owner, now)
      path["calendarId"] = made["id"]?.string
    }
    for rule in calendar["acl"]?.array ?? [] { _ = try perform("acl.insert", path, rule.object, as: owner, now) }
    for event in calendar["events"]?.array ?? [] {
      let method = event["iCalUID"] == nil ? "events.insert" : "events.import"
      _ = try perform(method, path, event.object, as: owner, now)
    }
  }

  /// Carries out a call as a user's request would.
  private mutating func perform(
    _ name: String, _ path: [String: String], _ body: [String: JSONValue]?, as user: String, _ now: Timestamp
  ) throws(APIFault) -> [String: JSONValue] {
    guard let method = CalendarMethod.all.first(where: { $0.id == name }), let body else { throw .parseError }
    let parameters = try CallParameters(
      Parameters("conferenceDataVersion=1&supportsAttachments=true&sendUpdates=none"), of: method)
    let call = CalendarCall(
      method: method, path: path, parameters: parameters,
      body: try method.request.flatMap { ResourceSchema.all[$0] }?.writable(body) ?? body, ifMatch: nil, user: user,
      clientID: "seed", scopes: ["calendar"], now: now, origin: "")
    guard case .resource(let resource) = try self.perform(call) else { return [:] }
    return resource
  }
}
