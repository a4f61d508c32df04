// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import HexColor
import Observation
import Testing

@testable import CalendarsApp

/// Tests the model with the sandbox, without network, disk or waiting.
@MainActor @Suite struct CalendarsModelTests {
  private let harness = Harness()
  private var model: CalendarsModel { harness.model }
  private static let picture = "/picture.png"

  // MARK: Signed out

  @Test func beginsWithReadingWhatIsStored() async {
    #expect(model.state == .loading)
    #expect(!model.canGrant && !model.canShowProfile && !model.canRevoke)
    await harness.launch()
    #expect(model.state == .signedOut)
    #expect(model.canGrant && model.canShowProfile && !model.canRevoke)
    #expect(model.calendars.isEmpty && model.progress == nil && model.failure == nil)
    #expect(harness.signInCount == 0, "No browser was requested yet.")
  }

  @Test func actionsThatNeedASignInDoNothingWithoutOne() async {
    await harness.launch()
    await model.revoke()
    await model.refresh()
    #expect(model.state == .signedOut)
    #expect(harness.requestPaths.isEmpty)
  }

  // MARK: Signing in and loading

  @Test func grantSignsInThenLoadsThenShowsTheCalendars() async throws {
    await harness.launch()
    await model.grant()
    #expect(harness.state(at: "browser") == .signingIn)
    #expect(harness.state(at: "/token") == .signingIn, "The exchange is part of signing in.")
    #expect(harness.state(at: Harness.list) == .loading)
    #expect(model.state == .signedIn)
    #expect(!model.canGrant && model.canShowProfile && model.canRevoke)

    #expect(model.calendars.count >= 12)
    let row = try #require(model.calendars.first { $0.id == harness.sandbox.configuration.user.email })
    #expect(!row.title.isEmpty && row.background != row.foreground)
    #expect(model.calendars.allSatisfy { $0.background.contrastRatio(with: $0.foreground) >= 4.5 })
  }

  @Test func foregroundThatCanHardlyBeReadIsReplaced() async {
    await harness.launch()
    harness.respond(to: Harness.list) {
      HTTPResponse(
        status: 200, json: ##"{"items":[{"id":"c","backgroundColor":"#dc2127","foregroundColor":"#1d1d1d"}]}"##)
    }
    await model.grant()
    #expect(model.calendars.map(\.background.description) == ["#dc2127"])
    #expect(model.calendars.map(\.foreground) == [.white])
  }

  @Test func progressIsShownWhileTheBrowserAndTheServerAreWaitedFor() async {
    await harness.launch()
    await model.grant()
    #expect(harness.progress(at: "browser") == "Signing in…")
    #expect(harness.progress(at: "/token") == "Signing in…")
    #expect(harness.progress(at: Harness.list) == "Loading…")
    #expect(model.progress == nil)
  }

  @Test func secondGrantWhileSigningInIsIgnored() async {
    await harness.launch()
    harness.onSignIn = { await harness.model.grant() }
    await model.grant()
    #expect(model.state == .signedIn)
    #expect(harness.signInCount == 1)
  }

  @Test func relaunchWithStoredTokensAsksNobody() async {
    await harness.launch()
    await model.grant()
    let calendars = model.calendars
    harness.relaunch()
    #expect(model.state == .loading && model.calendars.isEmpty)
    await harness.launch()
    #expect(model.state == .signedIn)
    #expect(model.calendars == calendars)
    #expect(harness.signInCount == 1)
  }

  @Test func expiredAccessTokenIsRefreshedUnnoticed() async {
    await harness.launch()
    await model.grant()
    harness.clock.advance(by: .seconds(3600))
    await model.refresh()
    #expect(model.state == .signedIn)
    #expect(harness.sandbox.refreshRequestCount == 1 && harness.signInCount == 1)
  }

  @Test func pullToRefreshShowsWhatIsNewAndKeepsTheListMeanwhile() async throws {
    await harness.launch()
    await model.grant()
    let before = model.calendars
    harness.respond(to: Harness.list) {
      HTTPResponse(status: 200, json: #"{"items":[{"id":"new@example.com","summary":"New"}]}"#)
    }
    harness.onRequest = { _ in #expect(harness.model.calendars == before) }
    await model.refresh()
    #expect(model.calendars.map(\.title) == ["New"])
    #expect(model.calendars.map(\.subtitle) == ["new@example.com"], "The id stands in for a description.")
    #expect(model.calendars.first?.background == .white && model.calendars.first?.foreground == .black)
    #expect(model.state == .signedIn)
  }

  @Test func buttonsAreEnabledOnlyWhereTheyDoSomething() async throws {
    #expect(harness.enabledActions.isEmpty, "What is stored is being read.")
    await harness.launch()
    #expect(model.state == .signedOut && harness.enabledActions == [.grant, .refresh, .showProfile])
    await model.grant()
    #expect(harness.state(at: "browser") == .signingIn && harness.enabledActions(at: "browser") == [])
    #expect(harness.state(at: "/token") == .signingIn && harness.enabledActions(at: "/token") == [])
    #expect(harness.state(at: Harness.list) == .loading && harness.enabledActions(at: Harness.list) == [])
    #expect(model.state == .signedIn && harness.enabledActions == [.refresh, .showProfile, .revoke])
    await model.showProfile()
    #expect(harness.state(at: "/userinfo") == .loading && harness.enabledActions(at: "/userinfo") == [])

    harness.relaunch()
    #expect(model.state == .loading && harness.enabledActions.isEmpty)
    harness.onRequest = { _ in
      #expect(harness.model.state == .loading && harness.enabledActions.isEmpty, "The list of the launch is read.")
    }
    await harness.launch()
    harness.onRequest = { _ in }
    #expect(harness.enabledActions == [.refresh, .showProfile, .revoke])

    harness.respond(to: "/revoke") { HTTPResponse(status: 503) }
    await model.revoke()
    #expect(harness.state(at: "/revoke") == .loading && harness.enabledActions(at: "/revoke") == [])
    #expect(model.failure != nil && harness.enabledActions.isEmpty)
    model.dismiss()
    #expect(harness.enabledActions == [.refresh, .showProfile, .revoke])
  }

  // MARK: Access denied

  @Test func denialLeadsBackWithoutAnAlert() async {
    harness.denies = true
    await harness.launch()
    await model.grant()
    #expect(model.state == .signedOut && model.failure == nil)
    harness.denies = false
    await model.grant()
    #expect(model.state == .signedIn)
  }

  @Test func cancelledSignInLeadsBackWithoutAnAlert() async {
    await harness.launch()
    harness.onSignIn = { throw CancellationError() }
    await model.grant()
    #expect(model.state == .signedOut && model.failure == nil)
  }

  // MARK: Profile

  @Test func profileOfWhoIsSignedInIsShown() async throws {
    await harness.launch()
    await model.grant()
    harness.respond(to: "/userinfo") {
      HTTPResponse(
        status: 200,
        json: """
          {"sub":"100000000000000000001","name":"Sample Person","given_name":"Sample","family_name":"Person",\
          "email":"person@example.com","picture":"https://example.com/p.png"}
          """)
    }
    await model.showProfile()
    #expect(harness.state(at: "/userinfo") == .loading)
    let profile = try #require(model.profile)
    #expect(profile.givenName == "Sample" && profile.familyName == "Person" && profile.name == "Sample Person")
    #expect(profile.email == "person@example.com" && profile.picture?.absoluteString == "https://example.com/p.png")
    #expect(model.state == .signedIn)
    model.profile = nil
    #expect(model.state == .signedIn)
  }

  @Test func avatarIsLoadedThroughTheTransportAndWithoutTheToken() async throws {
    await harness.launch()
    await model.grant()
    harness.onRequest = { path in
      guard path == Self.picture else { return }
      #expect(harness.model.profile != nil && harness.model.profile?.avatar == nil, "The profile does not wait for it.")
      #expect(harness.model.state == .signedIn)
    }
    await model.showProfile()
    #expect(try #require(model.profile?.avatar).starts(with: [0x89] + "PNG".utf8))
    #expect(harness.authorizedPaths.contains("/userinfo") && !harness.authorizedPaths.contains(Self.picture))
  }

  @Test(arguments: [404, 503, nil]) func avatarThatCannotBeLoadedLeavesTheProfile(_ status: Int?) async {
    await harness.launch()
    harness.respond(to: Self.picture) {
      guard let status else { throw TransportError(.unreachable, "There is no network.") }
      return HTTPResponse(status: status, json: "{}")
    }
    await model.showProfile()
    #expect(model.profile != nil && model.profile?.avatar == nil)
    #expect(model.state == .signedIn && model.failure == nil)
  }

  @Test func avatarThatArrivesAfterTheProfileWasClosedIsNotShown() async {
    await harness.launch()
    harness.onRequest = { if $0 == Self.picture { harness.model.profile = nil } }
    await model.showProfile()
    #expect(harness.requestPaths.contains(Self.picture))
    #expect(model.profile == nil && model.state == .signedIn)
  }

  @Test func profileSignsInFirst() async {
    await harness.launch()
    await model.showProfile()
    #expect(model.profile?.email == harness.sandbox.configuration.user.email)
    #expect(model.state == .signedIn && !model.calendars.isEmpty)
    #expect(harness.signInCount == 1)
  }

  @Test func profileNeedsNoCalendarScope() async {
    harness.scopes = [.openID, .email, .profile]
    harness.relaunch()
    await harness.launch()
    #expect(model.state == .signedOut)
    await model.showProfile()
    #expect(model.profile?.email == harness.sandbox.configuration.user.email)
    #expect(model.state == .signedIn && model.calendars.isEmpty && model.failure == nil)
    harness.relaunch()
    await harness.launch()
    #expect(model.state == .signedIn && !harness.requestPaths.contains(Harness.list))
  }

  @Test func profileIsShownThoughTheUserKeptTheCalendars() async throws {
    harness.granting = ["openid", "email", "profile"]
    await harness.launch()
    await model.showProfile()
    #expect(model.profile != nil && model.state == .signedIn && model.failure == nil)
    await model.refresh()
    #expect(model.failure?.remedy == .grantAccess, "The list says what it lacks.")
  }

  @Test func profileThatFailsKeepsTheList() async throws {
    await harness.launch()
    await model.grant()
    harness.respond(to: "/userinfo") { HTTPResponse(status: 503) }
    await model.showProfile()
    let failure = try #require(model.failure)
    #expect(failure.action == .showProfile && failure.remedy == .tryAgain)
    harness.respondAsTheSandbox("/userinfo")
    await model.resolve(failure)
    #expect(model.profile != nil && model.state == .signedIn && !model.calendars.isEmpty)
  }

  // MARK: Revoke

  @Test func revokeClearsTheListAndEndsTheGrant() async {
    await harness.launch()
    await model.showProfile()
    await model.revoke()
    #expect(harness.state(at: "/revoke") == .loading)
    #expect(model.state == .signedOut)
    #expect(model.calendars.isEmpty && model.profile == nil)
    #expect(model.canGrant && !model.canRevoke)
    #expect(harness.sandbox.log.contains { $0.kind == .tokenRevoked })
    await model.grant()
    #expect(model.state == .signedIn && harness.signInCount == 2)
  }

  @Test func revokeWithoutANetworkLosesNothing() async throws {
    await harness.launch()
    await model.grant()
    harness.respond(to: "/revoke") { throw TransportError(.unreachable, "There is no network.") }
    await model.revoke()
    let failure = try #require(model.failure)
    #expect(failure.remedy == .tryAgain && failure.message == "There is no network.")
    #expect(!model.calendars.isEmpty)
    model.dismiss()
    #expect(model.state == .signedIn && model.canRevoke)
    harness.respondAsTheSandbox("/revoke")
    await model.resolve(failure)
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }

  // MARK: Views

  @Test func viewHearsOfAChange() async {
    await harness.launch()
    await confirmation { changed in
      withObservationTracking {
        _ = (model.canGrant, model.calendars)
      } onChange: {
        changed()
      }
      await model.grant()
    }
  }

  // MARK: The switch

  @Test func sandboxOfTheAppNeedsNothing() async throws {
    let model = try CalendarsModel.sandbox()
    let running = Task { await model.run() }
    defer { running.cancel() }
    await harness.until { model.state == .signedOut }
    await model.showProfile()
    #expect(model.state == .signedIn && model.calendars.count >= 12 && model.profile?.avatar != nil)
    await model.revoke()
    #expect(model.state == .signedOut && model.calendars.isEmpty)
  }
}
