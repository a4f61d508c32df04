// SPDX-License-Identifier: Apache-2.0

extension AppFlipError {
  /// What to do with a link that ``AppFlipRegistration/request(from:)`` refuses.
  ///
  /// ```swift
  /// switch error.disposition {
  /// case .notAppFlip: router.open(link)
  /// case .notGoogle: break
  /// case .respond(let response): await UIApplication.shared.open(response)
  /// }
  /// ```
  public enum Disposition: Sendable, Hashable {
    /// The link is not an App Flip link: handle it as any other link of the app.
    case notAppFlip
    /// The link looks like App Flip, but names no redirect URI of Google's that is allowed: ignore it. Opening what it names
    /// would send the outcome to another party.
    case notGoogle
    /// The link is Google's, and something in it is wrong: open the response, so that Google goes on in the browser.
    case respond(AppFlipResponse)
  }

  /// What to do with the link.
  public var disposition: Disposition {
    if let response { return .respond(response) }
    return code == .notAppFlip ? .notAppFlip : .notGoogle
  }
}
