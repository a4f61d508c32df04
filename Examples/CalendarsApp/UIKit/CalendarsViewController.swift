// SPDX-License-Identifier: Apache-2.0

import HexColor
import Observation
import UIKit

/// The screen in UIKit, with the calendars in their colours, and the buttons Grant, My Profile and Revoke.
final class CalendarsViewController: UITableViewController {
  private let model: CalendarsModel
  private var running: Task<Void, Never>?
  private lazy var grant = button("Grant", .grant)
  private lazy var showProfile = button("My Profile", .showProfile)
  private lazy var revoke = button("Revoke", .revoke)
  private let activity = UIActivityIndicatorView(style: .medium)
  private weak var profileScreen: ProfileViewController?

  init(model: CalendarsModel) {
    self.model = model
    super.init(style: .plain)
  }

  @available(*, unavailable) required init?(coder: NSCoder) { nil }

  deinit { running?.cancel() }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Calendars"
    toolbarItems = [grant, .flexibleSpace(), showProfile, .flexibleSpace(), revoke]
    navigationController?.isToolbarHidden = false
    refreshControl = UIRefreshControl()
    refreshControl?.addAction(UIAction { [weak self] _ in self?.refresh() }, for: .valueChanged)
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "calendar")
    activity.startAnimating()
    running = Task { [model] in await model.run() }
    show()
  }

  private func button(_ title: String, _ action: CalendarsModel.Action) -> UIBarButtonItem {
    UIBarButtonItem(
      title: title,
      primaryAction: UIAction(title: title) { [model] _ in Task { await model.perform(action) } })
  }

  private func refresh() {
    Task {
      await model.refresh()
      refreshControl?.endRefreshing()
    }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { model.calendars.count }

  override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "calendar", for: indexPath)
    let calendar = model.calendars[indexPath.row]
    var content = UIListContentConfiguration.subtitleCell()
    content.text = calendar.title
    content.secondaryText = calendar.subtitle
    content.textProperties.color = UIColor(calendar.foreground)
    content.secondaryTextProperties.color = UIColor(calendar.foreground)
    cell.contentConfiguration = content
    var background = UIBackgroundConfiguration.listCell()
    background.backgroundColor = UIColor(calendar.background)
    cell.backgroundConfiguration = background
    cell.selectionStyle = .none
    return cell
  }
}

// Presentation of the model.
extension CalendarsViewController {
  /// Shows the model, and updates the screen when the model changes.
  private func show() {
    withObservationTracking {
      grant.isEnabled = model.canGrant
      showProfile.isEnabled = model.canShowProfile
      revoke.isEnabled = model.canRevoke
      // A list has no placeholder that shows progress.
      let isBusy = model.progress != nil && !model.calendars.isEmpty
      navigationItem.rightBarButtonItem = isBusy ? UIBarButtonItem(customView: activity) : nil
      contentUnavailableConfiguration = model.calendars.isEmpty ? placeholder : nil
      tableView.reloadData()
      presentScreen()
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in self?.show() }
    }
  }

  private var placeholder: UIContentUnavailableConfiguration {
    var configuration = model.progress == nil ? UIContentUnavailableConfiguration.empty() : .loading()
    configuration.text = model.progress ?? "No calendars"
    return configuration
  }

  /// Shows the failure or the profile, one at a time, and dismisses a profile that the model has removed or replaced.
  private func presentScreen() {
    let (failure, profile) = (model.failure, model.profile)
    if let profileScreen {
      if let profile, profile.id == profileScreen.profile.id { return profileScreen.show(avatar: profile.avatar) }
      self.profileScreen = nil
      if presentedViewController != nil { return dismiss(animated: true) { [weak self] in self?.presentScreen() } }
    }
    guard presentedViewController == nil else { return }
    if let failure {
      present(alert(for: failure), animated: true)
    } else if let profile {
      let screen = ProfileViewController(profile: profile) { [weak self] in self?.closed($0) }
      profileScreen = screen
      present(UINavigationController(rootViewController: screen), animated: true)
    }
  }

  /// Removes the profile from the model after the user closes its screen, unless the model has already replaced it.
  private func closed(_ screen: ProfileViewController) {
    guard profileScreen === screen else { return }
    profileScreen = nil
    model.profile = nil
  }

  private func alert(for failure: Failure) -> UIAlertController {
    let alert = UIAlertController(title: "Something went wrong", message: failure.message, preferredStyle: .alert)
    if let remedy = failure.remedy {
      alert.addAction(
        UIAlertAction(title: remedy.title, style: .default) { [model] _ in Task { await model.resolve(failure) } })
    }
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel) { [model] _ in model.dismiss() })
    return alert
  }
}
