// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HTTPTransport
import OAuthCore
import TokenStore

/// A failure and its remedy, as an alert shows them.
nonisolated struct Failure: Error, Equatable {
  enum Remedy {
    /// The sign-in is no longer valid.
    case signIn
    /// The granted scopes do not allow the action.
    case grantAccess
    /// The failure may be temporary.
    case tryAgain
  }

  /// The action that failed.
  let action: CalendarsModel.Action
  /// The message, which states the failure and its remedy.
  ///
  /// Every error of the library has a message to show.
  let message: String
  /// The remedy, or `nil` if only the developer can fix the failure.
  let remedy: Remedy?

  init(_ error: any Error, of action: CalendarsModel.Action) {
    self.action = action
    switch error {
    case let error as OAuthError: (message, remedy) = (error.message, Remedy(error.code))
    case let error as CalendarError: (message, remedy) = (error.message, Remedy(error.remedy))
    case let error as TransportError: (message, remedy) = (error.message, .tryAgain)
    case let error as TokenStorageError:
      // The damaged record was set aside: the user can sign in again.
      (message, remedy) = (error.message, error.code == .corrupted ? .signIn : .tryAgain)
    default: (message, remedy) = ("Something unexpected went wrong.", .tryAgain)
    }
  }
}

nonisolated extension Failure.Remedy {
  /// The title of the alert's button.
  var title: String {
    switch self {
    case .signIn: "Sign In"
    case .grantAccess: "Change Access"
    case .tryAgain: "Try Again"
    }
  }

  fileprivate init?(_ code: OAuthError.Code) {
    switch code {
    case .signInRequired: self = .signIn
    case .invalidConfiguration, .unsupported, .originNotAllowed: return nil
    default: self = .tryAgain
    }
  }

  fileprivate init?(_ remedy: CalendarError.Remedy) {
    switch remedy {
    case .signIn: self = .signIn
    case .obtainAccess: self = .grantAccess
    case .backOff, .pause: self = .tryAgain
    default: return nil
    }
  }
}
