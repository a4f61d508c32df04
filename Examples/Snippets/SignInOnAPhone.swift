// SPDX-License-Identifier: Apache-2.0

// Sign in and list the calendars in an iOS app, with the system's sign-in page and the keychain, without a secret.
//
// It replaces the first class of the tutorials, like Snippets/SignInAndListCalendars.swift on macOS and Linux. It needs Apple's
// frameworks: Tools/AppleStubs/typecheck-apple checks it instead of the build.
import Almanac

let google = try GoogleAccount(
  iOSClientID: "1234.apps.googleusercontent.com", scopes: [.calendarReadOnly])

try await google.authorize()  // the stored token, else a refresh, else the system's sign-in page
for try await entry in google.calendar.calendarList.all() {
  print(entry.title, entry.backgroundColor ?? .white)
}
try await google.revoke()
