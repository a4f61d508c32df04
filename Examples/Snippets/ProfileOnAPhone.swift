// SPDX-License-Identifier: Apache-2.0

// Show who is signed in, and revoke the access, in an app for iOS.
//
// It replaces what Snippets/ProfileAndRevoke.swift replaces on macOS and Linux. It needs Apple's frameworks, so that
// Scripts/typecheck-apple checks it instead of the build.
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
  print("The user said no.")
}
try await google.revoke()
