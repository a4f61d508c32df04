// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A user of the Calendar API, with their calendar list and settings.
struct CalendarAccount: Sendable {
  /// The e-mail address, which is also the identifier of the primary calendar.
  let email: String
  let name: String
  let locale: String
  private(set) var entries: [ListEntry] = []
  private var slots: [String: Int] = [:]

  init(_ user: Sandbox.User) {
    email = user.email
    name = user.name
    locale = user.locale
  }

  /// Creates the account of a user who is stored in the data folder, but missing from the configuration.
  init(email: String) {
    self.email = email
    name = email
    locale = "en"
  }

  func entry(_ calendarID: String) -> ListEntry? { slots[calendarID].map { entries[$0] } }

  mutating func put(_ entry: ListEntry) {
    if let slot = slots[entry.calendarID] {
      entries[slot] = entry
    } else {
      slots[entry.calendarID] = entries.count
      entries.append(entry)
    }
  }
}
