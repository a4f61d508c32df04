// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import OAuthCore
import TokenStore

extension CalendarsModel {
  /// The model of an account at an authorization server and a Calendar API that run in this process, whose user agrees to
  /// everything: the app without a network, a Google account or a registration.
  static func sandbox() throws -> CalendarsModel {
    let sandbox = Sandbox()
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: GoogleScope.default,
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport(), storage: InMemoryTokenStorage(), userAgent: sandbox.approvingUser)
    return CalendarsModel(google: google, transport: sandbox.transport())
  }
}
