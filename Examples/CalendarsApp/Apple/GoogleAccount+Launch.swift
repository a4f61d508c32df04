// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation

extension GoogleAccount {
  /// The account that the app was launched for: Google's, or with the argument `--sandbox` one that needs nothing.
  static func ofThisLaunch() throws -> GoogleAccount {
    if ProcessInfo.processInfo.arguments.contains("--sandbox") { return try .sandbox() }
    return try GoogleAccount(
      // From the Google Cloud console: a client of the type iOS. It has no secret.
      iOSClientID: "1234.apps.googleusercontent.com",
      scopes: [.openID, .email, .profile, .calendarReadOnly])
  }
}
