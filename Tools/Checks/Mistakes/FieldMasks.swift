// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

// Tools/Checks/check-snippets expects an error in every line that says "mistake".
func fieldMasks() {
  _ = FieldMask<EventsPage>(\.items.summary, \.items.start.dateTime)
  _ = FieldMask<EventsPage>(\.items.sumary)  // mistake: no such field
  _ = FieldMask<EventsPage>(\.items.summary.id)  // mistake: a string has no fields
  _ = FieldMask<Event>(\.items.summary)  // mistake: a field of another response
  _ = FieldMask<CalendarList>(\.items.title)  // mistake: a property that is no field
  _ = FieldMask<EventsPage>(\Event.summary)  // mistake: a path of the elements
}
