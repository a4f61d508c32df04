// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import OAuthCore
import TokenStore

extension CalendarsModel {
  /// The model of an account at an authorization server and a Calendar API that run in this process, whose user agrees to
  /// everything: the app without a network, a Google account or a registration.
  ///
  /// - Parameter isSignedIn: Whether the user is to be signed in without pressing Grant, as for a picture of the list.
  static func sandbox(isSignedIn: Bool = false) throws -> CalendarsModel {
    let sandbox = Sandbox()
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: GoogleScope.default,
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport(), storage: InMemoryTokenStorage(), userAgent: sandbox.approvingUser)
    // The model follows the account's events.
    if isSignedIn { Task { _ = try? await google.authorize() } }
    return CalendarsModel(google: google, transport: sandbox.transport())
  }
}
