// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import Timekeeping
import TokenStore

@testable import CalendarsApp

/// Tests the failures and their remedies.
@MainActor @Suite struct FailureTests {
  private let harness = Harness()
  private var model: CalendarsModel { harness.model }

  @Test func exchangeWithoutANetworkCanBeTriedAgain() async throws {
    await harness.launch()
    harness.respond(to: "/token") { throw TransportError(.unreachable, "There is no network.") }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(model.state == .failed(failure) && failure.action == .grant && failure.remedy == .tryAgain)
    #expect(!model.canGrant && !model.canShowProfile && !model.canRevoke && model.progress == nil)
    harness.respondAsTheSandbox("/token")
    await model.resolve(failure)
    #expect(model.state == .signedIn && harness.signInCount == 2)
  }

  @Test func listThatFailsAfterTheSignInDoesNotRepeatTheSignIn() async throws {
    await harness.launch()
    harness.respond(to: Harness.list) { HTTPResponse(status: 503) }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(failure.remedy == .tryAgain)
    harness.respondAsTheSandbox(Harness.list)
    await model.resolve(failure)
    #expect(model.state == .signedIn && !model.calendars.isEmpty && harness.signInCount == 1)
  }

  @Test func dismissedFailureOfASignInLeadsBack() async {
    await harness.launch()
    harness.onSignIn = { throw OAuthError(.userAgentUnavailable, "The page could not be shown.") }
    await model.grant()
    #expect(model.failure?.message == "The page could not be shown." && model.failure?.remedy == .tryAgain)
    model.dismiss()
    #expect(model.state == .signedOut && model.canGrant)
  }

  @Test func refreshThatFailsKeepsTheList() async throws {
    await harness.launch()
    await model.grant()
    harness.respond(to: Harness.list) { throw TransportError(.timedOut, "The server took too long.") }
    await model.refresh()
    let failure = try #require(model.failure)
    #expect(failure.action == .refresh && !model.calendars.isEmpty && model.isFailureShown)
    model.isFailureShown = false
    #expect(model.state == .signedIn)
  }

  @Test func signInThatIsNoLongerAcceptedClearsTheListAndOffersANewOne() async throws {
    await harness.launch()
    await model.grant()
    harness.sandbox.revokeGrants()
    await model.refresh()
    let failure = try #require(model.failure)
    #expect(failure.remedy == .signIn)
    #expect(model.calendars.isEmpty)
    await model.resolve(failure)
    #expect(model.state == .signedIn && !model.calendars.isEmpty && harness.signInCount == 2)
  }

  @Test func expiredSignInIsFoundAtLaunch() async throws {
    await harness.launch()
    await model.grant()
    harness.sandbox.revokeGrants()
    harness.relaunch()
    await harness.launch()
    #expect(model.failure?.remedy == .signIn)
    model.dismiss()
    #expect(model.state == .signedOut)
  }

  @Test func lessAccessThanNeededOffersToChangeIt() async throws {
    await harness.launch()
    harness.respond(to: Harness.list) {
      HTTPResponse(
        status: 403, json: #"{"error":{"code":403,"message":"x","errors":[{"reason":"insufficientPermissions"}]}}"#)
    }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(failure.remedy == .grantAccess)
    harness.respondAsTheSandbox(Harness.list)
    await model.resolve(failure)
    #expect(model.state == .signedIn && !model.calendars.isEmpty)
    #expect(harness.signInCount == 2, "The consent page is shown again.")
  }

  @Test func mistakeOfTheDeveloperOffersNothing() async throws {
    await harness.launch()
    harness.onSignIn = { throw OAuthError(.invalidConfiguration, "The client identifier is wrong.") }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(failure.remedy == nil)
    await model.resolve(failure)
    #expect(model.state == .signedOut && harness.signInCount == 1)
  }

  @Test(arguments: [
    (TokenStorageError.Code.unavailable, Failure.Remedy.tryAgain, "a locked device"),
    (.corrupted, .signIn, "a damaged record"),
  ])
  func storageThatFailsAtLaunchIsReported(
    _ code: TokenStorageError.Code, _ remedy: Failure.Remedy, _ reason: String
  ) async throws {
    harness.storage.failure = TokenStorageError(code, "The keychain says no.")
    await harness.launch()
    let failure = try #require(model.failure)
    #expect(failure.message == "The keychain says no." && failure.remedy == remedy, "\(reason)")
    harness.storage.failure = nil
    await model.resolve(failure)
    #expect(model.state == (remedy == .signIn ? .signedIn : .signedOut), "\(reason)")
  }

  @Test func storageThatIsReadableAgainSignsIn() async throws {
    await harness.launch()
    await model.grant()
    harness.relaunch()
    harness.storage.failure = TokenStorageError(.unavailable, "The device is locked.")
    await harness.launch()
    let failure = try #require(model.failure)
    harness.storage.failure = nil
    await model.resolve(failure)
    #expect(model.state == .signedIn && harness.signInCount == 1)
  }

  @Test(arguments: [false, true]) func relaunchWithoutANetworkKeepsTheSignIn(_ isExpired: Bool) async throws {
    await harness.launch()
    await model.grant()
    harness.relaunch()
    if isExpired { harness.clock.advance(by: .seconds(3600)) }
    let path = isExpired ? "/token" : Harness.list
    harness.respond(to: path) { throw TransportError(.unreachable, "There is no network.") }
    await harness.launch()
    let failure = try #require(model.failure)
    #expect(failure.action == .refresh && failure.remedy == .tryAgain && failure.message == "There is no network.")
    model.dismiss()
    #expect(model.state == .signedIn && model.calendars.isEmpty && model.canRefresh && model.canRevoke)
    harness.respondAsTheSandbox(path)
    await model.resolve(failure)
    #expect(model.state == .signedIn && !model.calendars.isEmpty && harness.signInCount == 1)
  }

  @Test func requestThatNoUserCanChangeOffersNothing() async throws {
    await harness.launch()
    harness.respond(to: Harness.list) {
      HTTPResponse(status: 404, json: #"{"error":{"code":404,"message":"x","errors":[{"reason":"notFound"}]}}"#)
    }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(failure.remedy == nil && failure.action == .grant && !failure.message.isEmpty)
    await model.resolve(failure)
    #expect(model.state == .signedIn && harness.requestPaths.count { $0 == Harness.list } == 1)
  }

  @Test func errorOfAnotherLibraryCanBeTriedAgainAndIsNotShown() async throws {
    struct Internal: Error {}
    await harness.launch()
    harness.onSignIn = { throw Internal() }
    await model.grant()
    let failure = try #require(model.failure)
    #expect(failure.message == "Something unexpected went wrong." && failure.remedy == .tryAgain)
    harness.onSignIn = {}
    await model.resolve(failure)
    #expect(model.state == .signedIn)
  }
}
