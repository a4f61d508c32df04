// SPDX-License-Identifier: Apache-2.0

import Almanac
import AppFlip
import HTTPTransport
import UIKit

extension LinkingModel {
  /// The model of this app.
  static func ofThisApp() -> LinkingModel {
    LinkingModel(
      // The client identifier that your server has given Google.
      google: AppFlipRegistration(clientID: "google"),
      server: HTTPLinkServer(transport: DefaultTransport().retrying(), endpoint: "https://app.example/app-flip/code")
    ) { response in
      await UIApplication.shared.open(response)
    }
  }
}
