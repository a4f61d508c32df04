// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import Testing

@testable import CalendarsApp

/// Tests changes by another window or a widget with the same account.
@MainActor @Suite struct ElsewhereTests {
  private let harness = Harness()
  private var model: CalendarsModel { harness.model }

  @Test func revocationElsewhereClearsTheList() async throws {
    await harness.launch()
    await model.grant()
    try await harness.google.revoke()
    await harness.until { harness.model.state == .signedOut }
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }

  @Test func signOutElsewhereClearsTheList() async throws {
    await harness.launch()
    await model.grant()
    try await harness.google.oauthAccount.signOut()
    await harness.until { harness.model.state == .signedOut }
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }

  @Test func signInElsewhereFillsTheList() async throws {
    await harness.launch()
    try await harness.google.authorize()
    await harness.until { harness.model.state == .signedIn }
    #expect(model.state == .signedIn && !model.calendars.isEmpty && harness.signInCount == 1)
  }

  @Test func expiryThatIsFoundElsewhereClearsTheList() async throws {
    await harness.launch()
    await model.grant()
    harness.sandbox.revokeGrants()
    await #expect(throws: OAuthError.self) { try await harness.google.calendar.colors.get() }
    await harness.until { harness.model.state == .signedOut }
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }

  /// Shows a list, and the alert of a failed reload.
  private func fail() async -> Failure? {
    await harness.launch()
    await model.grant()
    harness.respond(to: Harness.list) { throw TransportError(.timedOut, "The server took too long.") }
    await model.refresh()
    harness.respondAsTheSandbox(Harness.list)
    return model.failure
  }

  @Test func revocationElsewhereWhileAFailureIsShownClearsTheList() async throws {
    let failure = try #require(await fail())
    #expect(!model.calendars.isEmpty)
    try await harness.google.revoke()
    await harness.until { harness.model.calendars.isEmpty }
    #expect(model.state == .failed(failure), "The user has not read it yet.")
    model.dismiss()
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }

  @Test func expiryThatIsFoundElsewhereWhileAFailureIsShownClearsTheList() async throws {
    let failure = try #require(await fail())
    harness.sandbox.revokeGrants()
    await #expect(throws: OAuthError.self) { try await harness.google.calendar.colors.get() }
    await harness.until { harness.model.calendars.isEmpty }
    #expect(model.state == .failed(failure))
    model.dismiss()
    #expect(model.state == .signedOut)
  }

  @Test func signInElsewhereWhileAFailureIsShownNeedsNoOther() async throws {
    await harness.launch()
    harness.respond(to: "/token") { throw TransportError(.unreachable, "There is no network.") }
    await model.grant()
    let failure = try #require(model.failure)
    harness.respondAsTheSandbox("/token")
    try await harness.google.authorize()
    await model.resolve(failure)
    #expect(model.state == .signedIn && !model.calendars.isEmpty && harness.signInCount == 2)
  }

  @Test func listThatArrivesAfterTheSignOutIsNotShown() async throws {
    await harness.launch()
    await model.grant()
    harness.onRequest = { path in
      guard path == Harness.list else { return }
      try await harness.google.oauthAccount.signOut()
      await harness.until { harness.model.calendars.isEmpty }
    }
    await model.refresh()
    #expect(model.state == .signedOut)
    #expect(model.calendars.isEmpty)
  }
}
