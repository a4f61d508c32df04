// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import OAuthCore
import TokenStore

extension CalendarsModel {
  /// Returns a model with an authorization server and a Calendar API in this process.
  ///
  /// The app then needs no network, Google account or registration. The user grants every request.
  ///
  /// - Parameter isSignedIn: Whether the user is signed in from the start, for example for a picture of the list.
  static func sandbox(isSignedIn: Bool = false) throws -> CalendarsModel {
    let sandbox = Sandbox()
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.openID, .email, .profile, .calendarReadOnly],
      storage: InMemoryTokenStorage(), userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport()))
    // The model follows the account's events.
    if isSignedIn { Task { _ = try? await google.authorize() } }
    return CalendarsModel(google: google, transport: sandbox.transport())
  }
}
