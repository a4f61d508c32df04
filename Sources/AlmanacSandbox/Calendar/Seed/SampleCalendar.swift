// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// A calendar on the user's list, with its events.
struct SampleCalendar: Sendable {
  let id: String
  var summary: String
  var description: String?
  var location: String?
  var zone: Zone
  let colorID: String
  var role = AccessRole.owner
  var isPrimary = false
  var isSelected = true
  var isHidden = false
  var isDeleted = false
  var events: [SampleEvent] = []
  var updated: Timestamp
}
