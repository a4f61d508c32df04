// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Observation

/// Links the user's account with Google: a link comes in, the user is asked, a response goes out.
@MainActor @Observable
final class LinkingModel {
  enum State: Equatable {
    case idle
    /// It is being found out whether a user is signed in to the app, or one signs in.
    case preparing(AppFlipRequest)
    /// The user has to sign in to the app: consent is asked of a known user only.
    case signInRequired(AppFlipRequest)
    /// The consent screen is shown, to a user who is signed in.
    case asking(AppFlipRequest)
    /// A code is being requested from the server.
    case linking(AppFlipRequest)
    /// Google's app could not be opened: the user has to go back to it.
    case undelivered
  }

  private(set) var state = State.idle

  private let google: AppFlipRegistration
  private let server: any LinkServer
  private let open: @MainActor (AppFlipResponse) async -> Bool

  /// - Parameter open: Opens a response in Google's app, and returns whether it could.
  init(
    google: AppFlipRegistration, server: any LinkServer, open: @escaping @MainActor (AppFlipResponse) async -> Bool
  ) {
    self.google = google
    self.server = server
    self.open = open
  }

  /// Takes a universal link that the app was opened with, also at a cold start.
  ///
  /// - Returns: Whether the link was meant for linking. Otherwise it is another link of the app's.
  @discardableResult
  func handle(_ link: URL) -> Bool {
    do throws(AppFlipError) {
      let request = try google.request(from: link)
      // A newer link replaces one that waits: Google's app asks anew when the user starts anew.
      state = .preparing(request)
      Task { await prepare(request) }
      return true
    } catch {
      switch error.disposition {
      case .notAppFlip: return false
      case .notGoogle: return true
      case .respond(let response):
        // A question about another link stays on the screen.
        Task { await send(response) }
        return true
      }
    }
  }

  /// The user agrees to a request.
  ///
  /// - Parameter request: The request that was shown. Nothing happens if a newer one has replaced it since.
  func allow(_ request: AppFlipRequest) async {
    guard state == .asking(request) else { return }
    await link(request)
  }

  /// Signs the user in to the app, and asks for consent then.
  ///
  /// - Parameter request: The request that was shown. Nothing happens if a newer one has replaced it since.
  func signIn(_ request: AppFlipRequest) async {
    guard state == .signInRequired(request) else { return }
    state = .preparing(request)
    // Whatever went wrong, the user may try again or cancel.
    try? await server.signIn()
    await prepare(request)
  }

  /// The user says no on the consent screen, or does not sign in.
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
  /// Asks for consent if a user is signed in, else for the sign-in.
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
    // The session ended in between: the user who signs in now is asked anew.
    if let response { await finish(response) } else { state = .signInRequired(request) }
  }

  /// Returns the response with the server's code or its refusal, or `nil` if no user is signed in to the app.
  private func response(to request: AppFlipRequest) async -> AppFlipResponse? {
    do {
      return request.response(code: try await server.authorizationCode(for: request))
    } catch LinkServerError.signInRequired {
      return nil
    } catch LinkServerError.accountDisabled {
      return request.refuse(.unrecoverable, description: "This account cannot be linked.")
    } catch {
      // Google goes on with the authorization endpoint in the browser.
      return request.refuse(.cancelled, description: "The server could not be reached.")
    }
  }

  private func finish(_ response: AppFlipResponse) async {
    state = .idle
    await send(response)
  }

  /// Opens a response in Google's app.
  ///
  /// If that fails, the state changes only if no link has come meanwhile.
  private func send(_ response: AppFlipResponse) async {
    if !(await open(response)), state == .idle { state = .undelivered }
  }
}
