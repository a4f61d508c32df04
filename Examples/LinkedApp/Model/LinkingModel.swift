// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Observation

/// Links the user's account with Google: a link comes in, the user is asked, a response goes out.
@MainActor @Observable
final class LinkingModel {
  enum State: Equatable {
    case idle
    /// The user has to sign in to the app first.
    case signInRequired(AppFlipRequest)
    /// The consent screen is shown.
    case asking(AppFlipRequest)
    /// The server is requested a code.
    case linking
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
      // A newer link replaces one that waits: Google's app asks anew when the user starts anew.
      state = .asking(try google.request(from: link))
      return true
    } catch {
      switch error.disposition {
      case .notAppFlip: return false
      case .notGoogle: return true
      case .respond(let response):
        Task { await finish(response) }
        return true
      }
    }
  }

  /// The user agrees.
  func allow() async {
    guard case .asking(let request) = state else { return }
    state = .linking
    do {
      await finish(request.response(code: try await server.authorizationCode(for: request)))
    } catch LinkServerError.signInRequired {
      state = .signInRequired(request)
    } catch LinkServerError.accountDisabled {
      await finish(request.refuse(.unrecoverable, description: "This account cannot be linked."))
    } catch {
      // Google goes on with the authorization endpoint in the browser.
      await finish(request.refuse(.cancelled, description: "The server could not be reached."))
    }
  }

  /// The user has signed in to the app.
  func continueAfterSignIn() async {
    guard case .signInRequired(let request) = state else { return }
    state = .asking(request)
    await allow()
  }

  /// The user says no on the consent screen, or does not sign in.
  func deny() async {
    switch state {
    case .asking(let request): await finish(request.refuse(.accessDenied))
    case .signInRequired(let request):
      await finish(request.refuse(.cancelled, description: "The user did not sign in."))
    default: break
    }
  }

  func dismiss() { if state == .undelivered { state = .idle } }

  private func finish(_ response: AppFlipResponse) async {
    state = await open(response) ? .idle : .undelivered
  }
}
