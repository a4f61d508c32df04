// SPDX-License-Identifier: Apache-2.0

// The code of the guide to the Calendar API, in its order.
//
// It runs as it stands: the sandbox is in this process. For Google, use the account of SignInAndListCalendars.swift; the rest is
// the same.
import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport

let clock = ManualClock(skipsWaits: true)
let sandbox = Sandbox(clock: clock)
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
try await google.authorize()
let client = google.calendar

func listComingEvents() async throws {
  let query = EventsResource.ListQuery(timeMin: clock.now, singleEvents: true, orderBy: .startTime)
  for try await event in client.events.all(in: "primary", query).prefix(10) {
    print(event.start?.instant(in: .current).map { Date($0) } ?? .distantPast, event.summary ?? "(no title)")
  }
}

func eventsOfToday(in zone: TimeZone) async throws -> [Event] {
  let today = CivilDate(Date(clock.now), in: zone)
  let (start, end) = (today.start(in: zone), today.adding(days: 1).start(in: zone))
  let margin = Duration.seconds(3 * 3600)
  let query = EventsResource.ListQuery(
    timeMin: start - margin, timeMax: end + margin, singleEvents: true, orderBy: .startTime)
  var events: [Event] = []
  for try await event in client.events.all(in: "primary", query) {
    switch event.period {
    case .allDay(let days)? where days.contains(today): events.append(event)
    case .timed(let from, let to, _, _)?:
      let isToday = from.timestamp < end && (from.timestamp >= start || to.timestamp > start)
      if isToday { events.append(event) }
    default: break
    }
  }
  return events
}

func insertEvent() async throws -> Event {
  let tea = Event {
    $0.summary = "Tea"
    $0.period = .today(at: 15, for: .seconds(1800), in: .current, clock: clock)
    $0.attendees = [EventAttendee(email: "bo@example.org")]
  }
  return try await client.events.insert(tea, in: "primary", .init(sendUpdates: .all))
}

func bookMeeting(at start: Date, with guests: [String]) async throws -> Event {
  let meeting = Event {
    $0.summary = "Planning"
    $0.period = EventPeriod(start: start, end: start + 1800, in: .current)
    $0.attendees = guests.map { EventAttendee(email: $0) }
    $0.conferenceData = ConferenceData {
      $0.createRequest = CreateConferenceRequest {
        $0.requestID = Event.makeIdentifier()
        $0.conferenceSolutionKey = ConferenceSolutionKey { $0.type = .hangoutsMeet }
      }
    }
  }
  let inserted = try await client.events.insert(
    meeting, in: "primary", .init(sendUpdates: .all, conferenceDataVersion: 1))
  // The server creates the conference after its response. Until then, the event has no link.
  return try await client.events.get(inserted.id ?? "", in: "primary")
}

func patchEvent(_ id: String) async throws -> Event {
  let patch = Event.Patch {
    $0.location = .set("Kitchen")  // sets a field
    $0.description = .clear  // removes a field; fields that are not named stay
  }
  return try await client.events.patch(patch, for: id, in: "primary")
}

func updateIfUnchanged(_ event: Event, _ id: String) async throws {
  var request = EventsResource.update(event, for: id, in: "primary")
  request.ifMatch = event.etag
  do {
    print("updated", try await client.send(request).sequence ?? 0)
  } catch let error as CalendarError where error.code == .conditionNotMet {
    print("Another client changed the event. Read it again.")  // status 412
  }
}

func modifyEvent(_ id: String) async throws -> Event {
  try await client.events.modify(id, in: "primary") { event in
    event.addAttendee(EventAttendee(email: "ana@example.org"))
  }
}

func readIfChanged(_ event: Event, _ id: String) async throws -> Event {
  var request = EventsResource.get(id, in: "primary")
  request.ifNoneMatch = event.etag
  do {
    return try await client.send(request)
  } catch let error as CalendarError where error.code == .notModified {
    return event  // status 304
  }
}

func insertSeries() async throws -> Event {
  let standup = Event {
    $0.summary = "Stand-up"
    $0.period = .today(at: 9, for: .seconds(900), in: .current, clock: clock)
    $0.recurrence = ["RRULE:FREQ=WEEKLY;COUNT=6"]
  }
  return try await client.events.insert(standup, in: "primary")
}

func changeOneInstance(of series: String) async throws {
  var instances: [Event] = []
  for try await instance in client.events.allInstances(of: series, in: "primary") { instances.append(instance) }
  guard let id = instances.dropFirst().first?.id else { return }
  // An instance has an identifier of its own. Changing it creates an exception of the series.
  _ = try await client.events.patch(Event.Patch { $0.summary = .set("Retrospective") }, for: id, in: "primary")
}

func deleteAndRestore(_ id: String) async throws {
  try await client.events.delete(id, in: "primary")
  _ = try await client.events.patch(Event.Patch { $0.status = .set(.confirmed) }, for: id, in: "primary")
}

func freeTimes(of people: [String], from start: Timestamp, to end: Timestamp) async throws -> [Range<Timestamp>] {
  let query = FreeBusyRequest(calendars: people, from: start, to: end)
  let response = try await client.freebusy.query(splitting: query)
  var busy: [Range<Timestamp>] = []
  for person in people {
    let calendar = response.calendars?[person]
    if let error = calendar?.errors?.first { print("\(person) is not included: \(error.reason ?? "unknown reason")") }
    for period in calendar?.busy ?? [] {
      if let from = period.start?.timestamp, let to = period.end?.timestamp, from < to { busy.append(from..<to) }
    }
  }
  var (free, now): ([Range<Timestamp>], Timestamp) = ([], start)
  for period in busy.sorted(by: { $0.lowerBound < $1.lowerBound }) {
    if period.lowerBound > now { free.append(now..<period.lowerBound) }
    now = max(now, period.upperBound)
  }
  return now < end ? free + [now..<end] : free
}

func deleteMany(_ ids: [String]) async throws {
  let results = try await client.batch(ids.map { EventsResource.delete($0, in: "primary") })
  for (id, result) in zip(ids, results) {
    if case .failure(let error) = result { print("\(id): \(error.code)") }
  }
}

/// A copy of one calendar's events, and the token for the changes since.
struct CalendarCopy {
  var events: [String: Event] = [:]
  var syncToken: String?
}

func synchronized(_ local: CalendarCopy) async throws -> CalendarCopy {
  var query = EventsResource.ListQuery(singleEvents: false)
  query.syncToken = local.syncToken
  var copy = local
  do {
    for try await page in client.events.pages(in: "primary", query) {
      for event in page.items {
        guard let id = event.id else { continue }
        // Keep a cancelled exception: it says that this instance of its series does not take place.
        let isDeleted = event.status == .cancelled && event.recurringEventID == nil
        copy.events[id] = isDeleted ? nil : event
      }
      if let token = page.nextSyncToken { copy.syncToken = token }
    }
    return copy
  } catch let error as CalendarError where error.remedy == .synchronizeFully && local.syncToken != nil {
    // The server no longer knows the token, and does not report what was deleted meanwhile: begin with an empty copy.
    return try await synchronized(CalendarCopy())
  }
}

func watchEvents() async throws -> WatchChannel {
  let channel = WatchChannel(address: "https://example.org/notifications")
  return try await client.events.watch(channel, in: "primary")  // keep it: its token authenticates notifications
}

/// Returns the user to synchronize, or `nil` for the first notification of a channel, and for a forged one.
func userToSynchronize(_ fields: HTTPFields, _ channels: [String: (user: String, channel: WatchChannel)]) -> String? {
  guard let notification = try? ChannelNotification(fields),
    let (user, channel) = channels[notification.channelID], notification.belongs(to: channel)
  else { return nil }
  return notification.resourceState == .sync ? nil : user
}

func insertOnce(_ event: Event) async throws -> Event {
  var event = event
  event.id = event.id ?? Event.makeIdentifier()
  do {
    return try await client.events.insert(event, in: "primary")
  } catch let error as CalendarError where error.code == .duplicate {
    return try await client.events.get(event.id ?? "", in: "primary")
  }
}

try await listComingEvents()
print("today:", try await eventsOfToday(in: .current).count)
let tea = try await insertEvent()
guard let id = tea.id else { exit(1) }
print("location:", try await patchEvent(id).location ?? "")
try await updateIfUnchanged(tea, id)
let changed = try await modifyEvent(id)
print("attendees:", changed.attendees?.count ?? 0)
print("unchanged:", try await readIfChanged(changed, id) == changed)
let series = try await insertSeries()
try await changeOneInstance(of: series.id ?? "")
try await deleteAndRestore(id)
let free = try await freeTimes(of: ["primary"], from: clock.now, to: clock.now + .seconds(7 * 86_400))
print("free times:", free.count)
let meeting = try await bookMeeting(at: Date(clock.now + .seconds(86_400)), with: ["ana@example.org"])
print("link:", meeting.hangoutLink != nil)
var local = CalendarCopy()
local = try await synchronized(local)
let count = local.events.count
try await deleteMany([id, "nothing"])
local = try await synchronized(local)
print("deleted:", count - local.events.count)
sandbox.expireSyncTokens()
local = try await synchronized(local)
let channel = try await watchEvents()
print("channel:", channel.expirationTime != nil)
let forged: HTTPFields = ["X-Goog-Channel-ID": channel.id ?? ""]
print("forged:", userToSynchronize(forged, [channel.id ?? "": (user: "me", channel: channel)]) == nil)
let again = try await insertOnce(
  Event {
    $0.id = "lunch"; $0.summary = "Lunch"; $0.period = tea.period
  })
print("once:", try await insertOnce(again).summary ?? "")
