// SPDX-License-Identifier: Apache-2.0

import UIKit

/// The profile of the signed-in user, in UIKit.
final class ProfileViewController: UIViewController {
  let profile: Profile
  private let onClose: (ProfileViewController) -> Void
  private let avatar = UIImageView(image: UIImage(systemName: "person.crop.circle"))

  init(profile: Profile, onClose: @escaping (ProfileViewController) -> Void) {
    self.profile = profile
    self.onClose = onClose
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable) required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "My Profile"
    view.backgroundColor = .systemBackground
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      systemItem: .done, primaryAction: UIAction { [weak self] _ in self?.dismiss(animated: true) })
    let lines = [profile.name, profile.givenName, profile.familyName, profile.email].compactMap(\.self)
    let stack = UIStackView(arrangedSubviews: [avatar] + lines.map(label))
    stack.axis = .vertical
    stack.alignment = .center
    stack.spacing = 8
    stack.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(stack)
    NSLayoutConstraint.activate([
      avatar.widthAnchor.constraint(equalToConstant: 96), avatar.heightAnchor.constraint(equalToConstant: 96),
      stack.centerXAnchor.constraint(equalTo: view.centerXAnchor),
      stack.centerYAnchor.constraint(equalTo: view.centerYAnchor),
    ])
    show(avatar: profile.avatar)
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    onClose(self)
  }

  /// Shows the avatar's file.
  ///
  /// If it is not an image, the placeholder stays.
  func show(avatar file: Data?) {
    if let image = file.flatMap(UIImage.init(data:)) { avatar.image = image }
  }

  private func label(_ text: String) -> UILabel {
    let label = UILabel()
    label.text = text
    return label
  }
}
