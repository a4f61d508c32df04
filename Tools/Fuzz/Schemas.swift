// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding
import Timekeeping

/// Tests any bytes as a page of events.
///
/// The page is accepted if and only if a plain parser finds an object whose `items` are objects and whose tokens are strings or absent.
/// The compared fields match the plain parser's, and the page survives writing and parsing.
func fuzz(_ bytes: [UInt8]) {
  let plain = (try? JSONValue(json: bytes)).map(withoutAbsentTokens)
  let page = try? EventsPage(json: bytes)
  precondition(page == nil || plain?.object != nil)
  if let page { precondition((try? EventsPage(json: page.json())) == page) }
  // Of two fields with the same name, the last one is used, even if it has the wrong type.
  guard let plain, (try? JSONValue(json: bytes, requiringUniqueNames: true)) != nil else { return }
  let events: [JSONValue]? = plain["items"].map { $0 == .null ? [] : $0.array } ?? []
  let tokens = [plain["nextPageToken"], plain["nextSyncToken"]].compactMap(\.self)
  let isPage = plain.object != nil && events?.allSatisfy { $0.object != nil } ?? false
  precondition((page != nil) == (isPage && tokens.allSatisfy { $0.string != nil }))
  guard let page, let events, var written = (try? JSONValue(json: page.json()))?.object else { return }
  // A page without events can be written with or without an empty list.
  if page.items.isEmpty { written["items"] = plain["items"] }
  precondition(says(.object(written), the: plain))
  precondition(page.nextPageToken == plain["nextPageToken"]?.string && page.summary == plain["summary"]?.string)
  let known = Set(EventsPage.fieldNames)
  for (name, value) in plain.object ?? [:] where !known.contains(name) {
    precondition(page.additionalFields[name] == value)
  }
  precondition(page.items.count == events.count)
  for (event, plain) in zip(page.items, events) {
    precondition(event.id == plain["id"]?.string && event.summary == plain["summary"]?.string)
    precondition(event.status?.rawValue == plain["status"]?.string)
    precondition(event.attendees == nil || event.attendees?.count == plain["attendees"]?.array?.count)
  }
}

/// Removes the tokens in the forms in which servers write an absent value, but not blank ones.
private func withoutAbsentTokens(_ page: JSONValue) -> JSONValue {
  guard var fields = page.object else { return page }
  for name in ["nextPageToken", "nextSyncToken"]
  where fields[name].map({ $0 == "" || $0 == 0 || $0.string == nil && $0.isAbsent }) == true {
    fields[name] = nil
  }
  return .object(fields)
}

/// Whether two values are equal, apart from `null` fields and the notation of times, numbers and colours.
private func says(_ written: JSONValue, the read: JSONValue) -> Bool {
  if written == read { return true }
  if let (left, right) = both(written.object, read.object) {
    return Set(left.keys).union(right.keys).allSatisfy { says(left[$0] ?? .null, the: right[$0] ?? .null) }
  }
  if let (left, right) = both(written.array, read.array) {
    return left.count == right.count && zip(left, right).allSatisfy { says($0, the: $1) }
  }
  if let (left, right) = both(written.string, read.string) {
    if left.lowercased() == right.lowercased(), left.hasPrefix("#") { return true }
    let times = both(try? OffsetDateTime(rfc3339: left), try? OffsetDateTime(rfc3339: right))
    let instants = both(try? Timestamp(rfc3339: left), try? Timestamp(rfc3339: right))
    return times.map { $0 == $1 } ?? false || instants.map { $0 == $1 } ?? false || Int64(left) == Int64(right)
  }
  // A 64-bit integer is written as a string, but accepted as a number too.
  let numbers = both(written.number?.double ?? written.string.flatMap(Double.init), read.number?.double)
  return numbers.map { $0 == $1 } ?? false
}

private func both<Left, Right>(_ left: Left?, _ right: Right?) -> (Left, Right)? {
  guard let left, let right else { return nil }
  return (left, right)
}
