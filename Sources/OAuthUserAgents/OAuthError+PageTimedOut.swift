// SPDX-License-Identifier: Apache-2.0

import OAuthCore

extension OAuthError {
  /// The error of a sign-in page not completed in time.
  static let pageTimedOut = OAuthError(
    .signInTimedOut, "The sign-in page was not completed in time. Start the sign-in again.")
}
