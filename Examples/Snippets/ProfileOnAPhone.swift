// SPDX-License-Identifier: Apache-2.0

// Show the signed-in user's profile, and revoke the access, in an iOS app.
//
// It is the counterpart of Snippets/ProfileAndRevoke.swift for macOS and Linux. It needs Apple's frameworks:
// Tools/AppleStubs/typecheck-apple checks it instead of the build.
import Almanac
import Foundation
import OAuthCore
import OpenIDConnect

let google = try GoogleAccount(
  iOSClientID: "1234.apps.googleusercontent.com", scopes: [.openID, .email, .profile])

do {
  try await google.authorize()
  let profile = try await google.profile()
  print(profile.givenName ?? "?", profile.familyName ?? "?", profile.picture.map { "\($0)" } ?? "no picture")
} catch let error as OAuthError where error.code == .accessDenied {
  print("The user denied access.")
}
try await google.revoke()
