// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Observation

/// The state and actions of the app's screen.
///
/// The views in SwiftUI and UIKit only present it.
@MainActor @Observable
final class CalendarsModel {
  nonisolated enum State: Equatable {
    case signedOut
    /// The user is signing in, from the browser until the tokens are stored.
    case signingIn
    /// A request is in progress, or the stored account is being read.
    case loading
    case signedIn
    case failed(Failure)
  }

  nonisolated enum Action { case grant, refresh, showProfile, revoke }

  private(set) var state = State.loading
  private(set) var calendars: [CalendarRow] = []
  /// The profile to show.
  ///
  /// The view sets it to `nil` when the user closes it.
  var profile: Profile?

  private let google: GoogleAccount
  private let transport: any Transport
  /// The state after an action, or after the user dismisses a failure.
  @ObservationIgnored private var isSignedIn = false
  /// The number of ended sign-ins, by which late responses are discarded.
  @ObservationIgnored private var signOutCount = 0

  /// - Parameters:
  ///   - google: The account.
  ///   - transport: The transport that loads avatars, without a token.
  init(google: GoogleAccount, transport: some Transport = DefaultTransport()) {
    self.google = google
    self.transport = transport
  }

  var canGrant: Bool { state == .signedOut }
  var canRefresh: Bool { state == .signedIn || state == .signedOut }
  var canShowProfile: Bool { state == .signedOut || state == .signedIn }
  var canRevoke: Bool { state == .signedIn }

  /// The text beside the activity indicator.
  var progress: String? {
    switch state {
    case .signingIn: "Signing in…"
    case .loading: "Loading…"
    default: nil
    }
  }

  var failure: Failure? { if case .failed(let failure) = state { failure } else { nil } }

  /// Whether the alert is shown.
  ///
  /// The view sets it to `false` when the user closes it.
  var isFailureShown: Bool {
    get { failure != nil }
    set { if !newValue { dismiss() } }
  }
}

// The user's actions.
extension CalendarsModel {
  func perform(_ action: Action) async {
    switch action {
    case .grant: await grant()
    case .refresh: await refresh()
    case .showProfile: await showProfile()
    case .revoke: await revoke()
    }
  }

  func grant() async {
    guard canGrant else { return }
    await attempt(.grant) {
      try await signIn()
      try await load()
    }
  }

  func refresh() async {
    guard canRefresh else { return }
    await reload()
  }

  /// Shows the user's profile, after a sign-in if no user is signed in.
  func showProfile() async {
    guard canShowProfile else { return }
    await attempt(.showProfile) {
      let isNew = !isSignedIn
      if isNew { try await signIn() }
      state = .loading
      profile = Profile(try await whileSignedIn { try await google.profile() })
      // The profile is available even if the user did not grant access to the calendars.
      if isNew, Self.canList(try await google.oauthAccount.storedToken?.scopes ?? []) { try await load() }
    }
    await loadAvatar()
  }

  /// Adds the avatar to the shown profile.
  ///
  /// If it cannot be loaded, the placeholder stays.
  private func loadAvatar() async {
    guard let shown = profile, let picture = shown.picture,
      let response = try? await transport.send(HTTPRequest(.get, picture)), response.status == 200, profile == shown
    else { return }
    profile?.avatar = Data(response.body)
  }

  func revoke() async {
    guard canRevoke else { return }
    await attempt(.revoke) {
      state = .loading
      try await google.revoke()
      forget()
    }
  }

  /// Performs the failure's remedy.
  func resolve(_ failure: Failure) async {
    dismiss()
    switch failure.remedy {
    case .signIn: await grant()
    case .grantAccess:
      await attempt(.grant) {
        state = .signingIn
        try await google.oauthAccount.signIn(prompt: [.consent])
        try await load()
      }
    // If only the list failed after a sign-in, the sign-in is not repeated.
    case .tryAgain: await perform(isSignedIn && failure.action == .grant ? .refresh : failure.action)
    case nil: break
    }
  }

  func dismiss() { if failure != nil { settle() } }
}

// Automatic changes.
extension CalendarsModel {
  /// Restores the stored sign-in, then follows the account's events.
  ///
  /// Run it while the screen is visible.
  func run() async {
    // First, so that no event is missed.
    let events = google.signInEvents
    await reload()
    for await event in events { await follow(event) }
  }

  /// Applies changes that another window or a widget makes to the account.
  private func follow(_ event: SignInEvent) async {
    switch event {
    case .granted: if state == .signedOut { await grant() }
    case .refreshed: break
    case .signInRequired: if state == .signedIn || failure != nil { signedOut() }
    case .signedOut, .revoked:
      // The user may have signed in again since the event.
      if (try? await isStored) == false { signedOut() }
    }
  }

  private var isStored: Bool {
    get async throws { try await google.isSignedIn }
  }
}

extension CalendarsModel {
  private func signIn() async throws {
    state = .signingIn
    try await google.authorize()
    isSignedIn = true
  }

  /// Loads the calendars of the signed-in user.
  private func reload() async {
    await attempt(.refresh) {
      state = .loading
      guard try await isStored else { return forget() }
      isSignedIn = true
      try await load()
    }
  }

  /// Whether a granted scope allows reading the list of calendars.
  private static func canList(_ scopes: [Scope]) -> Bool {
    ScopeRule.google.isCovered(.calendarListReadOnly, by: scopes)
  }

  private func load() async throws {
    state = .loading
    // An app that requests only the profile shows no list.
    guard Self.canList(google.oauthAccount.scopes) else { return }
    calendars = try await whileSignedIn {
      var rows: [CalendarRow] = []
      for try await entry in google.calendar.calendarList.all() { rows.append(CalendarRow(entry)) }
      return rows
    }
  }

  /// Returns the result of `request`, unless its sign-in has ended in the meantime.
  private func whileSignedIn<Value>(_ request: () async throws -> Value) async throws -> Value {
    let count = signOutCount
    let value = try await request()
    guard count == signOutCount else { throw CancellationError() }
    return value
  }

  /// Runs an action and sets the resulting state.
  private func attempt(_ action: Action, _ work: () async throws -> Void) async {
    do {
      try await work()
      settle()
    } catch is CancellationError {
      settle()
    } catch let error as OAuthError where error.code == .accessDenied {
      // The user closed the page or denied access, and needs no alert.
      settle()
    } catch {
      let failure = Failure(error, of: action)
      if failure.remedy == .signIn { forget() }
      state = .failed(failure)
    }
  }

  private func settle() { state = isSignedIn ? .signedIn : .signedOut }

  private func signedOut() {
    forget()
    if state == .signedIn { state = .signedOut }
  }

  private func forget() {
    signOutCount += 1
    isSignedIn = false
    calendars = []
    profile = nil
  }
}
