// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Observation
import UIKit

/// Asks the user, in UIKit, whether their account may be linked with Google.
final class ConsentViewController: UIViewController {
  private let model: LinkingModel

  init(model: LinkingModel) {
    self.model = model
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable) required init?(coder: NSCoder) { nil }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    show()
  }

  /// Shows the model's state, and again whenever it changes.
  private func show() {
    let state = withObservationTracking {
      model.state
    } onChange: { [weak self] in
      Task { @MainActor in self?.show() }
    }
    contentUnavailableConfiguration =
      if case .linking = state { UIContentUnavailableConfiguration.loading() } else { nil }
    presentQuestion()
  }

  /// Asks what the state asks for; a question that a newer link has replaced goes away.
  private func presentQuestion() {
    if presentedViewController != nil { return dismiss(animated: false) { [weak self] in self?.presentQuestion() } }
    if let question = question(for: model.state) { present(question, animated: true) }
  }

  private func question(for state: LinkingModel.State) -> UIAlertController? {
    switch state {
    case .idle, .linking: nil
    case .signInRequired(let request):
      // Your sign-in screen goes here.
      alert(
        "Sign in first", nil,
        [
          ("Continue", { [model] in await model.continueAfterSignIn(request) }),
          ("Cancel", { [model] in await model.deny(request) }),
        ])
    case .asking(let request):
      alert(
        "Link your account with Google?", request.scopes.joined(separator: "\n"),
        [
          ("Agree and Link", { [model] in await model.allow(request) }),
          ("Cancel", { [model] in await model.deny(request) }),
        ])
    case .undelivered:
      alert("Go back to the Google app to finish.", nil, [("OK", { [model] in model.dismiss() })])
    }
  }

  private func alert(
    _ title: String, _ message: String?, _ choices: [(title: String, action: @MainActor () async -> Void)]
  ) -> UIAlertController {
    let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
    for choice in choices {
      alert.addAction(UIAlertAction(title: choice.title, style: .default) { _ in Task { await choice.action() } })
    }
    return alert
  }
}
