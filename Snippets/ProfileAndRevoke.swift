// SPDX-License-Identifier: Apache-2.0

// Show the signed-in user's profile, and revoke the access, as in the tutorial with the buttons My Profile and Revoke access.
//
// It replaces a web view subclass with five delegate methods, and two token files that keep the refresh token across refreshes.
// It also replaces a text search in responses for an error's cause, and a profile read key by key from a dictionary.
import Almanac

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"),
  scopes: [.openID, .email, .profile])

do {
  try await google.authorize()
  let profile = try await google.profile()
  print(profile.name ?? "?", profile.email ?? "?", profile.picture.map { "\($0)" } ?? "no picture")
} catch let error as OAuthError where error.code == .accessDenied {
  print("The user denied the access.")
} catch let error as OAuthError where error.code == .signInRequired {
  print("The sign-in is no longer accepted; authorize() starts a new one.")
}
try await google.revoke()
