// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import GoogleCredentials
import HTTPTransport
import OAuthCore
import OpenIDConnect
import TokenStore

/// The program's exit status, which scripts may rely on.
package enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case signInRequired = 3
  case accessDenied = 4
  case network = 5
  case storage = 6
  case refused = 7
  case declined = 8
  case interrupted = 130

  var meaning: String {
    switch self {
    case .success: "done"
    case .failure: "failed for another reason"
    case .usage: "invalid command, option or argument"
    case .signInRequired: "not signed in, or the sign-in expired: run `almanac sign-in`"
    case .accessDenied: "access denied, or the sign-in timed out"
    case .network: "the server is unreachable or temporarily unavailable: try again later"
    case .storage: "stored tokens or settings could not be read or written"
    case .refused: "the server refused the request"
    case .declined: "the user did not confirm the change: nothing was changed"
    case .interrupted: "interrupted"
    }
  }

  /// The status for an error.
  package init(_ error: any Error) {
    switch error {
    case is CancellationError, is Interruption: self = .interrupted
    case is UsageError: self = .usage
    case is DeclinedError: self = .declined
    case let error as OAuthError:
      switch error.code {
      case .signInRequired: self = .signInRequired
      case .accessDenied, .signInTimedOut: self = .accessDenied
      case .serverUnavailable: self = .network
      case .invalidConfiguration, .originNotAllowed: self = .usage
      case .requestRejected: self = .refused
      default: self = .failure
      }
    case let error as TransportError:
      self = error.code == .invalidRequest || error.reason == .invalidConfiguration ? .usage : .network
    case let error as TokenStorageError: self = error.code == .invalidAccount ? .usage : .storage
    case is SettingsError, is MigrationConflict: self = .storage
    case let error as GoogleCredentialError:
      switch error.code {
      case .invalidConfiguration: self = .usage
      case .unreadable, .malformed: self = .storage
      case .serverUnavailable, .metadataServerFailed: self = .network
      case .refused: self = .refused
      default: self = .failure
      }
    case let error as CalendarError:
      switch error.remedy {
      case .signIn: self = .signInRequired
      case .backOff, .pause: self = .network
      case .inspectServer, .checkOutcome: self = .failure
      default: self = .refused
      }
    case let error as CallError:
      switch error.code {
      case .invalidCall: self = .usage
      case .refused: self.init(refusal: error.response?.status)
      default: self = .failure
      }
    default: self = .failure
    }
  }

  /// The status for an unsuccessful response.
  private init(refusal status: Int?) {
    switch status ?? 0 {
    case 401: self = .signInRequired
    case 408, 429, 500...: self = .network
    case 400..<500: self = .refused
    default: self = .failure
    }
  }
}
