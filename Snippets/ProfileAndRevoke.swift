// SPDX-License-Identifier: Apache-2.0

// Show who is signed in, and revoke the access: the tutorial with two buttons, My Profile and Revoke access.
//
// It replaces a subclass of the web view with five delegate methods, two token files so that a refresh would not lose the
// refresh token, the search for words in responses to tell an invalid grant from invalid credentials, and a profile read key
// by key from a dictionary.
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
