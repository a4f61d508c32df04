// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation

extension CalendarsModel {
  /// The model that the app was launched for: of Google's account, or with the argument `--sandbox` of one that needs nothing, whose
  /// user is signed in already with `--signed-in`.
  static func ofThisLaunch() throws -> CalendarsModel {
    let arguments = ProcessInfo.processInfo.arguments
    if arguments.contains("--sandbox") { return try .sandbox(isSignedIn: arguments.contains("--signed-in")) }
    return CalendarsModel(
      google: try GoogleAccount(
        // From the Google Cloud console: a client of the type iOS. It has no secret.
        iOSClientID: "1234.apps.googleusercontent.com",
        scopes: [.openID, .email, .profile, .calendarReadOnly]))
  }
}
