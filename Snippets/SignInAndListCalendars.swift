// The start: defaults wired together. Sign in through the browser, list the calendars, revoke.
import Almanac

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"),
  scopes: [.calendarReadOnly])

try await google.authorize()  // stored token, else refresh, else the browser
for try await entry in google.calendar.calendarList.entries() {
  print(entry.title, entry.backgroundColor ?? .white)
}
try await google.revoke()
