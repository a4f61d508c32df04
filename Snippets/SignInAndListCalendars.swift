// SPDX-License-Identifier: Apache-2.0

// Sign in and list the calendars: the start, with the defaults wired together.
//
// It replaces the first class of the tutorials: the web view inside the app, the delegate with granted, revoked and error,
// the payload joined by hand, the code cut out of a page's title, the token in a plist with the file's date as its age, and
// the method that chose between signing in, refreshing and going on. The one call is `authorize()`.
import Almanac

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"),
  scopes: [.calendarReadOnly])

try await google.authorize()  // stored token, else refresh, else the browser
for try await entry in google.calendar.calendarList.entries() {
  print(entry.title, entry.backgroundColor ?? .white)
}
try await google.revoke()
