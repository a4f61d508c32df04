// SPDX-License-Identifier: Apache-2.0

import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: screen())
    window.makeKeyAndVisible()
    self.window = window
  }

  private func screen() -> UIViewController {
    do {
      return CalendarsViewController(model: try .ofThisLaunch())
    } catch {
      let controller = UIViewController()
      var configuration = UIContentUnavailableConfiguration.empty()
      configuration.text = "Not set up"
      configuration.secondaryText = String(describing: error)
      controller.contentUnavailableConfiguration = configuration
      return controller
    }
  }
}
