// SPDX-License-Identifier: Apache-2.0

import HexColor
import SwiftUI

/// A calendar's title, and its description or id, in its colours.
struct CalendarRowView: View {
  let calendar: CalendarRow

  var body: some View {
    VStack(alignment: .leading) {
      Text(calendar.title).font(.headline)
      Text(calendar.subtitle).font(.subheadline)
    }
    .foregroundStyle(Color(calendar.foreground))
    .listRowBackground(Color(calendar.background))
    .accessibilityElement(children: .combine)
  }
}
