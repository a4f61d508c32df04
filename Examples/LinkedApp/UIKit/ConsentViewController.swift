// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Observation
import UIKit

/// The consent screen, in UIKit.
final class ConsentViewController: UIViewController {
  private let model: LinkingModel

  init(model: LinkingModel) {
    self.model = model
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable) required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .systemBackground
    show()
  }

  /// Shows the model's state, and updates it after every change.
  private func show() {
    let state = withObservationTracking {
      model.state
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in self?.show() }
    }
    contentUnavailableConfiguration = configuration(for: state)
  }

  private func configuration(for state: LinkingModel.State) -> UIContentUnavailableConfiguration? {
    switch state {
    case .idle: nil
    case .preparing, .linking: .loading()
    case .signInRequired(let request):
      question(
        "Sign in to link your account with Google", nil,
        ("Sign In", { [model] in await model.signIn(request) }),
        ("Cancel", { [model] in await model.deny(request) }))
    case .asking(let request):
      question(
        "Link your account with Google?", request.scopes.joined(separator: "\n"),
        ("Agree and Link", { [model] in await model.allow(request) }),
        ("Cancel", { [model] in await model.deny(request) }))
    case .undelivered:
      question("Go back to the Google app to finish.", nil, ("OK", { [model] in model.dismiss() }))
    }
  }

  private typealias Choice = (title: String, action: @MainActor () async -> Void)

  private func question(
    _ title: String, _ details: String?, _ first: Choice, _ second: Choice? = nil
  ) -> UIContentUnavailableConfiguration {
    var question = UIContentUnavailableConfiguration.empty()
    question.text = title
    question.secondaryText = details
    question.button = .filled()
    question.button.title = first.title
    question.buttonProperties.primaryAction = UIAction { _ in Task { await first.action() } }
    if let second {
      question.secondaryButton = .plain()
      question.secondaryButton.title = second.title
      question.secondaryButtonProperties.primaryAction = UIAction { _ in Task { await second.action() } }
    }
    return question
  }
}
