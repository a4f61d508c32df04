// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation

extension CalendarsModel {
  /// Returns the model of a Google account, or with the argument `--sandbox` of a sandbox account.
  ///
  /// With `--signed-in`, the sandbox's user is already signed in.
  static func ofThisLaunch() throws -> CalendarsModel {
    let arguments = ProcessInfo.processInfo.arguments
    if arguments.contains("--sandbox") { return try .sandbox(isSignedIn: arguments.contains("--signed-in")) }
    return CalendarsModel(
      google: try GoogleAccount(
        // A client of the type iOS from the Google Cloud console, without a secret.
        iOSClientID: "1234.apps.googleusercontent.com",
        scopes: [.openID, .email, .profile, .calendarReadOnly]))
  }
}
