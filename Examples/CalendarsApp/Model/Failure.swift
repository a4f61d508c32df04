// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HTTPTransport
import OAuthCore
import TokenStore

/// What went wrong, and what the alert offers to do about it.
nonisolated struct Failure: Error, Equatable {
  enum Remedy {
    /// No account is signed in any more.
    case signIn
    /// The user granted less than the action needs.
    case grantAccess
    /// The same action may succeed another time.
    case tryAgain
  }

  /// The action that failed.
  let action: CalendarsModel.Action
  /// What happened and what to do.
  ///
  /// Every error of the library has a message to be shown.
  let message: String
  /// `nil` if only the developer can do something.
  let remedy: Remedy?

  init(_ error: any Error, of action: CalendarsModel.Action) {
    self.action = action
    switch error {
    case let error as OAuthError: (message, remedy) = (error.message, Remedy(error.code))
    case let error as CalendarError: (message, remedy) = (error.message, Remedy(error.remedy))
    case let error as TransportError: (message, remedy) = (error.message, .tryAgain)
    case let error as TokenStorageError:
      // A damaged record was set aside, so that the user can sign in.
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
