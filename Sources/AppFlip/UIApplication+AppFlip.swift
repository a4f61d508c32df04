// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIApplication {
    /// Opens a response in Google's app, only as a universal link.
    ///
    /// - Returns: Whether the response was opened. If not, Google's app is no longer installed, and no response can be delivered.
    @available(iOSApplicationExtension, unavailable, message: "An extension cannot open other apps.")
    @discardableResult
    public func open(_ response: AppFlipResponse) async -> Bool {
      await open(response.url, options: [.universalLinksOnly: true])
    }
  }
#endif
