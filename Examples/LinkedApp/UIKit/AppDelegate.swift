// SPDX-License-Identifier: Apache-2.0

import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  let model = Result { try LinkingModel.ofThisApp() }

  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
    configuration.delegateClass = SceneDelegate.self
    return configuration
  }

  /// Handles links in an app without scenes, both at launch and while the app runs.
  func application(
    _ application: UIApplication, continue activity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    guard let link = activity.link, case .success(let model) = model else { return false }
    return model.handle(link)
  }
}

extension NSUserActivity {
  /// The universal link that the app was opened with.
  var link: URL? { activityType == NSUserActivityTypeBrowsingWeb ? webpageURL : nil }
}
