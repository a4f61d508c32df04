// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Observation

/// A model that links the user's account with Google: it receives a link, asks the user for consent, and opens a response.
@MainActor @Observable
final class LinkingModel {
  enum State: Equatable {
    case idle
    /// The sign-in is being checked, or a user is signing in to the app.
    case preparing(AppFlipRequest)
    /// The user has to sign in to the app before the consent screen.
    case signInRequired(AppFlipRequest)
    /// The consent screen is shown to the signed-in user.
    case asking(AppFlipRequest)
    /// A code is being requested from the server.
    case linking(AppFlipRequest)
    /// Google's app could not be opened. The user has to return to it.
    case undelivered
  }

  private(set) var state = State.idle

  private let google: AppFlipRegistration
  private let server: any LinkServer
  private let open: @MainActor (AppFlipResponse) async -> Bool

  /// - Parameter open: A closure that opens a response in Google's app, and returns whether it succeeded.
  init(
    google: AppFlipRegistration, server: any LinkServer, open: @escaping @MainActor (AppFlipResponse) async -> Bool
  ) {
    self.google = google
    self.server = server
    self.open = open
  }

  /// Handles a universal link that opened the app, including at a cold start.
  ///
  /// - Returns: Whether the link is an App Flip link. If not, handle it as another link of the app.
  @discardableResult
  func handle(_ link: URL) -> Bool {
    do throws(AppFlipError) {
      let request = try google.request(from: link)
      // A newer link replaces the pending one, because Google's app has started again.
      state = .preparing(request)
      Task { await prepare(request) }
      return true
    } catch {
      switch error.disposition {
      case .notAppFlip: return false
      case .notGoogle: return true
      case .respond(let response):
        // The consent screen of another link stays.
        Task { await send(response) }
        return true
      }
    }
  }

  /// Handles the user's consent to a request.
  ///
  /// - Parameter request: The request that was shown. Nothing happens if a newer one has replaced it since.
  func allow(_ request: AppFlipRequest) async {
    guard state == .asking(request) else { return }
    await link(request)
  }

  /// Signs the user in to the app, then asks for consent.
  ///
  /// - Parameter request: The request that was shown. Nothing happens if a newer one has replaced it since.
  func signIn(_ request: AppFlipRequest) async {
    guard state == .signInRequired(request) else { return }
    state = .preparing(request)
    // After any failure, the user can try again or cancel.
    try? await server.signIn()
    await prepare(request)
  }

  /// Handles the user's refusal of consent or of the sign-in.
  ///
  /// - Parameter request: The request that was shown. Nothing happens if a newer one has replaced it since.
  func deny(_ request: AppFlipRequest) async {
    switch state {
    case .asking(request): await finish(request.refuse(.accessDenied))
    case .signInRequired(request): await finish(request.refuse(.cancelled, description: "The user did not sign in."))
    default: break
    }
  }

  func dismiss() { if state == .undelivered { state = .idle } }
}

extension LinkingModel {
  /// Asks for consent if a user is signed in; otherwise asks the user to sign in.
  private func prepare(_ request: AppFlipRequest) async {
    let isSignedIn = await server.isSignedIn
    guard state == .preparing(request) else { return }
    state = isSignedIn ? .asking(request) : .signInRequired(request)
  }

  private func link(_ request: AppFlipRequest) async {
    state = .linking(request)
    let response = await response(to: request)
    // Google's app no longer waits for a request that a newer one has replaced.
    guard state == .linking(request) else { return }
    // The session has ended: the user who signs in next is asked for consent again.
    if let response { await finish(response) } else { state = .signInRequired(request) }
  }

  /// Returns the response with the server's code or refusal, or `nil` if no user is signed in to the app.
  private func response(to request: AppFlipRequest) async -> AppFlipResponse? {
    do {
      return request.response(code: try await server.authorizationCode(for: request))
    } catch LinkServerError.signInRequired {
      return nil
    } catch LinkServerError.accountDisabled {
      return request.refuse(.unrecoverable, description: "This account cannot be linked.")
    } catch {
      // Google continues with the authorization endpoint in the browser.
      return request.refuse(.cancelled, description: "The server could not be reached.")
    }
  }

  private func finish(_ response: AppFlipResponse) async {
    state = .idle
    await send(response)
  }

  /// Opens a response in Google's app.
  ///
  /// If that fails, the state changes only if no newer link has arrived.
  private func send(_ response: AppFlipResponse) async {
    if !(await open(response)), state == .idle { state = .undelivered }
  }
}
