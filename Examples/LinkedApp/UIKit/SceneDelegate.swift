// SPDX-License-Identifier: Apache-2.0

import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  private var model: Result<LinkingModel, any Error>? { (UIApplication.shared.delegate as? AppDelegate)?.model }

  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    guard let scene = scene as? UIWindowScene, let model else { return }
    let window = UIWindow(windowScene: scene)
    switch model {
    case .success(let model): window.rootViewController = ConsentViewController(model: model)
    case .failure(let error): window.rootViewController = notSetUp(error)
    }
    window.makeKeyAndVisible()
    self.window = window
    // At a cold start, the link is in `options`, and `scene(_:continue:)` is not called.
    for activity in options.userActivities { handle(activity) }
  }

  /// Handles a link that arrives while the app runs.
  func scene(_ scene: UIScene, continue activity: NSUserActivity) { handle(activity) }

  private func handle(_ activity: NSUserActivity) {
    guard let link = activity.link, case .success(let model) = model else { return }
    if !model.handle(link) { print("Another link of the app's") }
  }

  private func notSetUp(_ error: any Error) -> UIViewController {
    let controller = UIViewController()
    var configuration = UIContentUnavailableConfiguration.empty()
    configuration.text = "Not set up"
    configuration.secondaryText = String(describing: error)
    controller.contentUnavailableConfiguration = configuration
    return controller
  }
}
