// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import Timekeeping

extension Fact {
  static let all: [Fact] = errors + versions + series + fields + synchronization

  private static let errors: [Fact] = [
    Fact(statement: "An identifier that is in use is refused.", expected: "409 duplicate") { lab in
      let (event, _) = try await lab.insert("taken")
      var request = EventsResource.insert(event, in: lab.calendarID)
      request.isRepeatable = false
      return try await lab.refusal { [request] in _ = try await lab.client.send(request) }
    },
    Fact(statement: "An event that never existed is not found.", expected: "404 notFound") { lab in
      try await lab.refusal { _ = try await lab.client.events.get(Event.makeIdentifier(), in: lab.calendarID) }
    },
    Fact(statement: "The identifier of a deleted event stays in use.", expected: "409 duplicate") { lab in
      let (event, id) = try await lab.insert("deleted and inserted")
      try await lab.client.events.delete(id, in: lab.calendarID)
      var request = EventsResource.insert(event, in: lab.calendarID)
      request.isRepeatable = false
      return try await lab.refusal { [request] in _ = try await lab.client.send(request) }
    },
    Fact(statement: "A range that ends before it begins is refused.", expected: "400 timeRangeEmpty") { lab in
      let now = lab.clock.now
      return try await lab.refusal {
        _ = try await lab.client.events.list(in: lab.calendarID, .init(timeMin: now, timeMax: now - .seconds(60)))
      }
    },
    Fact(statement: "The order by start time requires single events.", expected: "400 badRequest") { lab in
      try await lab.refusal {
        _ = try await lab.client.events.list(in: lab.calendarID, .init(orderBy: .startTime))
      }
    },
    Fact(statement: "A free/busy query of half a year is refused.", expected: "400 timeRangeTooLong") { lab in
      let start = lab.clock.now
      let query = FreeBusyRequest(calendars: [lab.calendarID], from: start, to: start + .seconds(183 * 86_400))
      return try await lab.refusal { _ = try await lab.client.freebusy.query(query) }
    },
  ]

  private static let versions: [Fact] = [
    Fact(statement: "A change with another entity tag is refused.", expected: "412 conditionNotMet") { lab in
      let (event, id) = try await lab.insert("condition")
      _ = try await lab.client.events.patch(Event.Patch { $0.location = .set("here") }, for: id, in: lab.calendarID)
      var request = EventsResource.update(event, for: id, in: lab.calendarID)
      request.ifMatch = event.etag
      return try await lab.refusal { [request] in _ = try await lab.client.send(request) }
    },
    Fact(statement: "A read with the current entity tag has no body.", expected: "304 notModified") { lab in
      let (_, id) = try await lab.insert("unchanged")
      var request = EventsResource.get(id, in: lab.calendarID)
      request.ifNoneMatch = try await lab.client.events.get(id, in: lab.calendarID).etag
      return try await lab.refusal { [request] in _ = try await lab.client.send(request) }
    },
    Fact(statement: "An update with a lower sequence number is refused.", expected: "400 invalid") { lab in
      let (event, id) = try await lab.insert("sequence")
      var later = event
      later.sequence = 5
      later = try await lab.client.events.update(later, for: id, in: lab.calendarID)
      later.sequence = 3
      return try await lab.refusal { [later] in
        _ = try await lab.client.events.update(later, for: id, in: lab.calendarID)
      }
    },
    Fact(statement: "A deleted event can be read, and is cancelled.", expected: "cancelled") { lab in
      let (_, id) = try await lab.insert("deleted and read")
      try await lab.client.events.delete(id, in: lab.calendarID)
      return try await lab.client.events.get(id, in: lab.calendarID).status?.rawValue ?? "none"
    },
    Fact(statement: "A deleted event is restored by its status.", expected: "confirmed") { lab in
      let (_, id) = try await lab.insert("restored")
      try await lab.client.events.delete(id, in: lab.calendarID)
      let patch = Event.Patch { $0.status = .set(.confirmed) }
      return try await lab.client.events.patch(patch, for: id, in: lab.calendarID).status?.rawValue ?? "none"
    },
  ]

  private static let series: [Fact] = [
    Fact(
      statement: "An instance's identifier is the series' with the original start in UTC.", expected: "true"
    ) { lab in
      let (event, id) = try await lab.insert("weekly", recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"])
      let instances = try await lab.client.events.instances(of: id, in: lab.calendarID).items
      let start = OffsetDateTime(try (event.start?.instant(in: .gmt)).required("start")).description
      let suffix = start.filter { !"-:".contains($0) }.prefix(15) + "Z"
      return "\(instances.first?.id == "\(id)_\(suffix)" && instances.count == 3)"
    },
    Fact(
      statement: "A changed instance names its series and its original start.", expected: "true true"
    ) { lab in
      let (_, id) = try await lab.insert("exception", recurrence: ["RRULE:FREQ=DAILY;COUNT=3"])
      let instances = try await lab.client.events.instances(of: id, in: lab.calendarID).items
      let second = try instances.dropFirst().first.required("instance")
      let patch = Event.Patch { $0.summary = .set("changed") }
      let changed = try await lab.client.events.patch(
        patch, for: second.id.required("id"), in: lab.calendarID)
      return "\(changed.recurringEventID == id) \(changed.originalStartTime == second.start)"
    },
    Fact(
      statement:
        "A deleted instance is listed as cancelled, with its series and original start, if deleted ones are shown.",
      expected: "cancelled true true"
    ) { lab in
      let (_, id) = try await lab.insert("cancelled instance", recurrence: ["RRULE:FREQ=DAILY;COUNT=3"])
      let instance = try await lab.client.events.instances(of: id, in: lab.calendarID).items.first.required("instance")
      try await lab.client.events.delete(instance.id.required("id"), in: lab.calendarID)
      let shown = try await lab.client.events.instances(of: id, in: lab.calendarID, .init(showDeleted: true)).items
      let cancelled = try shown.first { $0.id == instance.id }.required("cancelled instance")
      return
        "\(cancelled.status?.rawValue ?? "none") \(cancelled.recurringEventID == id) \(cancelled.originalStartTime != nil)"
    },
    Fact(statement: "A series that is cut has the instances before the cut alone.", expected: "2") { lab in
      let (event, id) = try await lab.insert("cut", recurrence: ["RRULE:FREQ=DAILY;COUNT=10"])
      let start = try (event.start?.instant(in: .gmt)).required("start")
      let until =
        OffsetDateTime(start + .seconds(2 * 86_400 - 1)).description.filter { !"-:".contains($0) }.prefix(15) + "Z"
      let patch = Event.Patch { $0.recurrence = .set(["RRULE:FREQ=DAILY;UNTIL=\(until)"]) }
      _ = try await lab.client.events.patch(patch, for: id, in: lab.calendarID)
      return "\(try await lab.client.events.instances(of: id, in: lab.calendarID).items.count)"
    },
  ]

  private static let fields: [Fact] = [
    Fact(
      statement: "An event's entity tag is twice the microseconds of its last change.", expected: "true"
    ) { lab in
      let (_, id) = try await lab.insert("entity tag")
      let event = try await lab.client.events.get(id, in: lab.calendarID)
      let updated = try event.updated.required("updated")
      let microseconds = updated.secondsSince1970 * 1_000_000 + Int64(updated.nanoseconds) / 1000
      return "\(event.etag == "\"\(2 * microseconds)\"")"
    },
    Fact(
      statement: "A value of an extended property is cut at 1,024 characters.", expected: "1024"
    ) { lab in
      var client = lab.client
      client.options.checksLimits = false
      var event = lab.makeEvent("long property")
      event.extendedProperties = Event.ExtendedProperties {
        $0.`private` = ["key": String(repeating: "a", count: 1100)]
      }
      let inserted = try await client.events.insert(event, in: lab.calendarID)
      return "\(inserted.extendedProperties?.`private`?["key"]?.count ?? 0)"
    },
    Fact(
      statement: "An extended property whose name has more than 44 characters is left out.", expected: "0"
    ) { lab in
      var client = lab.client
      client.options.checksLimits = false
      var event = lab.makeEvent("long name")
      event.extendedProperties = Event.ExtendedProperties { $0.`private` = [String(repeating: "k", count: 45): "a"] }
      let inserted = try await client.events.insert(event, in: lab.calendarID)
      return "\(inserted.extendedProperties?.`private`?.count ?? 0)"
    },
    Fact(
      statement: "Several extended properties of a query have to match together.", expected: "1"
    ) { lab in
      for properties in [["a": "1", "b": "2"], ["a": "1"]] {
        var event = lab.makeEvent("properties")
        event.extendedProperties = Event.ExtendedProperties { $0.`private` = properties }
        _ = try await lab.client.events.insert(event, in: lab.calendarID)
      }
      let query = EventsResource.ListQuery(privateExtendedProperty: ["a=1", "b=2"])
      return "\(try await lab.client.events.list(in: lab.calendarID, query).items.count)"
    },
  ]

  private static let synchronization: [Fact] = [
    Fact(statement: "A sync token does not go together with a search.", expected: "400") { lab in
      var last: String?
      for try await page in lab.client.events.pages(in: lab.calendarID) { last = page.nextSyncToken }
      let token = try last.required("sync token")
      var client = lab.client
      client.options.checksLimits = false
      return try await String(
        lab.refusal { [client] in
          _ = try await client.events.list(in: lab.calendarID, .init(q: "text", syncToken: token))
        }.prefix(3))
    },
    Fact(statement: "A deleted event is reported once after a sync token.", expected: "cancelled") { lab in
      let (_, id) = try await lab.insert("synchronized")
      var last: String?
      for try await page in lab.client.events.pages(in: lab.calendarID) { last = page.nextSyncToken }
      try await lab.client.events.delete(id, in: lab.calendarID)
      let changes = try await lab.client.events.list(in: lab.calendarID, .init(syncToken: last)).items
      return changes.filter { $0.id == id }.map { $0.status?.rawValue ?? "none" }.joined(separator: " ")
    },
    Fact(
      statement: "A sync token that Google did not make requires a full synchronization.", expected: "synchronizeFully"
    ) {
      lab in
      do {
        _ = try await lab.client.events.list(in: lab.calendarID, .init(syncToken: "nonsense"))
        return "accepted"
      } catch let error as CalendarError {
        return "\(error.remedy)"
      }
    },
  ]
}
