// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

// Free/busy information
// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query)).
extension CalendarStore {
  func freeBusy(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let zone = Zone.named(call.body["timeZone"]?.string ?? "UTC")
    guard let zone else { throw .invalid("Invalid time zone.") }
    let (first, last) = (try bound("timeMin", call), try bound("timeMax", call))
    guard first < last else { throw .timeRangeEmpty }
    // Not measured: Google documents no limit. Clients split at 90 days.
    guard last - first <= .seconds(92 * 86_400) else {
      throw APIFault(
        status: 400, reason: "timeRangeTooLong", message: "The requested time range is too long.", domain: "calendar")
    }
    let (mostCalendars, mostMembers) = (try expansion("calendar", 50, call), try expansion("group", 100, call))
    var ids: [String] = []
    var groups: [String: JSONValue] = [:]
    for item in call.body["items"]?.array ?? [] {
      guard let id = item["id"]?.string else { throw .required("Missing calendar identifier.") }
      guard let members = self.groups.members(of: id.lowercased()) else {
        ids.append(id)
        continue
      }
      if members.count > mostMembers {
        groups[id] = ["errors": Self.errors("groupTooBig")]
      } else {
        groups[id] = ["calendars": .array(members.map { .string($0) })]
        ids += members
      }
    }
    var calendars: [String: JSONValue] = [:]
    for id in ids where calendars[id] == nil {
      calendars[id] =
        if calendars.count >= mostCalendars {
          ["errors": Self.errors("tooManyCalendarsRequested"), "busy": []]
        } else if let access = try? access(call, id) {
          ["busy": self.calendars[access.slot].busyPeriods(from: first, to: last, shownIn: zone)]
        } else {
          ["errors": Self.errors("notFound"), "busy": []]
        }
    }
    return .resource(of: [
      "kind": "calendar#freeBusy", "timeMin": .string(first.rfc3339(fractionDigits: 3)),
      "timeMax": .string(last.rfc3339(fractionDigits: 3)), "groups": groups.isEmpty ? nil : .object(groups),
      "calendars": .object(calendars),
    ])
  }

  /// Returns the maximum number of calendars, or of members of a group.
  private func expansion(_ name: String, _ limit: Int, _ call: CalendarCall) throws(APIFault) -> Int {
    let most = call.body["\(name)ExpansionMax"]?.number?.integer ?? limit
    guard most <= limit else { throw .invalid("The value of \(name)ExpansionMax is too large.") }
    return most
  }

  private static func errors(_ reason: String) -> JSONValue { [["domain": "global", "reason": .string(reason)]] }

  private func bound(_ name: String, _ call: CalendarCall) throws(APIFault) -> Timestamp {
    guard let text = call.body[name]?.string else { throw .required("Missing \(name).") }
    guard let time = try? Timestamp(rfc3339: text) else { throw .invalid("Invalid \(name).") }
    return time
  }
}

extension StoredCalendar {
  /// Returns the busy periods in the format of the response.
  fileprivate func busyPeriods(from first: Timestamp, to last: Timestamp, shownIn zone: Zone) -> JSONValue {
    let periods = busyPeriods(from: first, to: last)
    return .array(periods.map { ["start": .string(zone.rfc3339($0.0)), "end": .string(zone.rfc3339($0.1))] })
  }

  /// Returns the periods of opaque events within a time range, with overlapping and adjacent periods merged.
  private func busyPeriods(from first: Timestamp, to last: Timestamp) -> [(Timestamp, Timestamp)] {
    var periods: [(Timestamp, Timestamp)] = []
    func add(_ event: StoredEvent) {
      guard !event.isCancelled, !event.isTransparent, event.response(of: id) != "declined" else { return }
      let (start, end) = (event.start.instant(in: zone), event.end.instant(in: zone))
      if start < last, end > first, start < end { periods.append((max(start, first), min(end, last))) }
    }
    for event in events.events where !event.isCancelled {
      guard let series = event.series else {
        add(event)
        continue
      }
      let exceptions = events.exceptionSlots(of: event.id)
      for start in series.starts(from: first, to: last) where !exceptions.contains(start.slot) {
        add(event.instance(at: start))
      }
    }
    periods.sort { $0.0 < $1.0 }
    return periods.reduce(into: []) { merged, period in
      if let previous = merged.last, previous.1 >= period.0 {
        merged[merged.count - 1].1 = max(previous.1, period.1)
      } else {
        merged.append(period)
      }
    }
  }
}
