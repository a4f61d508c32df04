// SPDX-License-Identifier: Apache-2.0

/// Why Google gets no code: the `error` of a response.
public enum AppFlipRefusal: String, Sendable, Hashable, CaseIterable {
  /// The user could not sign in or turned back, the device is offline, a connection timed out.
  case cancelled
  /// It cannot succeed, such as with an account that is disabled.
  case unrecoverable
  /// Parameters of the request are missing or wrong.
  case invalidRequest = "invalid_request"
  /// The user was asked and said no.
  case accessDenied = "access_denied"

  /// Whether Google's app goes on with the authorization endpoint in the browser, or gives the linking up.
  public var isRecoverable: Bool {
    switch self {
    case .cancelled, .invalidRequest: true
    case .unrecoverable, .accessDenied: false
    }
  }
}
