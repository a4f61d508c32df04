// SPDX-License-Identifier: Apache-2.0

// Show a table of calendars in an iOS app, with each row in its calendar's colours.
//
// It replaces a dictionary read key by key, only the first page of the list, and a colour category. It needs Apple's frameworks:
// Tools/AppleStubs/typecheck-apple checks it instead of the build.
import Almanac
import CalendarAPI
import HexColor
import UIKit

let google = try GoogleAccount(iOSClientID: "1234.apps.googleusercontent.com", scopes: [.calendar])

var calendars: [CalendarListEntry] = []
try await google.authorize()
for try await entry in google.calendar.calendarList.all() { calendars.append(entry) }

/// Applies a calendar's colours to its row, title and detail.
///
/// `tableView(_:cellForRowAt:)` calls it.
@MainActor func paint(_ cell: UITableViewCell, as entry: CalendarListEntry) {
  let colors = entry.appearance
  var row = UIListContentConfiguration.subtitleCell()
  row.text = entry.title
  row.secondaryText = entry.description ?? entry.id
  row.textProperties.color = UIColor(colors.foreground)
  row.secondaryTextProperties.color = UIColor(colors.foreground)
  cell.contentConfiguration = row
  var background = UIBackgroundConfiguration.listCell()
  background.backgroundColor = UIColor(colors.background)
  cell.backgroundConfiguration = background
}
