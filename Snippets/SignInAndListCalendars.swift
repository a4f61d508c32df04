// SPDX-License-Identifier: Apache-2.0

// Sign in and list the calendars, with the defaults.
//
// It replaces the first class of the tutorials: the web view, its delegate, the hand-written payload, the code in a page's title,
// and the token in a plist. `authorize()` chooses between the stored token, a refresh and a sign-in.
import Almanac

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com",
  clientSecret: .environment("GOOGLE_CLIENT_SECRET"), scopes: [.calendarReadOnly])

try await google.authorize()  // the stored token, else a refresh, else the browser
for try await entry in google.calendar.calendarList.all() {
  print(entry.title, entry.backgroundColor ?? .white)
}
try await google.revoke()
