// SPDX-License-Identifier: Apache-2.0

extension LabelProperties {
  var problem: String? {
    guard let eventLabels else { return nil }
    if eventLabels.count > 200 { return "A calendar has at most 200 labels, not \(eventLabels.count)." }
    return eventLabels.contains { ($0.name?.count ?? 0) > 50 } ? "The name of a label has at most 50 characters." : nil
  }
}

extension FreeBusyRequest {
  var problem: String? {
    if let items, items.count > 50 { return "A query is for at most 50 calendars and groups, not \(items.count)." }
    if let calendarExpansionMax, calendarExpansionMax > 50 { return "calendarExpansionMax is at most 50." }
    if let groupExpansionMax, groupExpansionMax > 100 { return "groupExpansionMax is at most 100." }
    return nil
  }
}

extension Channel {
  var problem: String? {
    if let id, id.count > 64 { return "The identifier of a channel has at most 64 characters." }
    if let token, token.count > 256 { return "The token of a channel has at most 256 characters." }
    if let address, !address.hasPrefix("https://") { return "Notifications are delivered to an https URL only." }
    return nil
  }
}
