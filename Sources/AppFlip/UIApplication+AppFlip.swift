// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIApplication {
    /// Opens a response in Google's app, as a universal link and nothing else.
    ///
    /// - Returns: Whether it was opened. If not, Google's app is not there any more, and no response can be delivered.
    @available(iOSApplicationExtension, unavailable, message: "An extension cannot open other apps.")
    @discardableResult
    public func open(_ response: AppFlipResponse) async -> Bool {
      await open(response.url, options: [.universalLinksOnly: true])
    }
  }
#endif
