// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import TokenStore

extension TokenStorageError {
  static let noLibrary = missing(
    "libsecret is not installed. On Debian and Ubuntu, install libsecret-1-0; on Fedora and Arch Linux, libsecret."
  )
  static let noBus = missing(
    "There is no D-Bus session bus. Run the program in a desktop session, or set DBUS_SESSION_BUS_ADDRESS."
  )
  static let noService = missing(
    "No keyring runs in this session. Install and start one, such as gnome-keyring.")

  private static func missing(_ cause: String) -> TokenStorageError {
    TokenStorageError(.keyringMissing, "\(cause) Without a keyring, use FileTokenStorage.")
  }

  static let keyringLocked = TokenStorageError(
    .keyringLocked, "The keyring was locked. Unlock it and try again.")
  static let noCollection = TokenStorageError(
    .unavailable, "The default keyring was removed. Nothing was written. Try again.")

  /// The error of a prompt that was not answered in time.
  static func promptNotAnswered(_ action: KeyringAction) -> TokenStorageError {
    TokenStorageError(
      .keyringLocked,
      action == .create
        ? "There is no default keyring, and the prompt to create one was not answered in time. Try again and answer it."
        : "The keyring is locked, and its prompt was not answered in time. Unlock it and try again.")
  }

  /// The error of a prompt that ended without an unlocked keyring.
  ///
  /// The keyring reports a prompt that it cannot show as dismissed.
  static func promptEnded(_ action: KeyringAction) -> TokenStorageError {
    let environment = ProcessInfo.processInfo.environment
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    let message =
      switch (action, hasDisplay) {
      case (.create, true):
        "There is no default keyring, and the prompt to create one was dismissed. Try again and choose a password for it."
      case (.create, false):
        """
        There is no default keyring, and the session has no display for the prompt to create one. Create it in a desktop \
        session, or use FileTokenStorage.
        """
      case (_, true): "The keyring is locked, and its prompt was dismissed. Try again and unlock the keyring."
      case (_, false):
        """
        The keyring is locked, and the session has no display for its prompt. Run `gnome-keyring-daemon --unlock` and type the \
        keyring's password, or use FileTokenStorage.
        """
      }
    return TokenStorageError(hasDisplay ? .promptDismissed : .promptUnavailable, message)
  }

  static let removalDismissed = TokenStorageError(
    .promptDismissed,
    """
    The keyring asked whether to remove the item, and its prompt was dismissed. The item is still there. Try again and allow \
    the removal.
    """)

  static func noResponse(to action: KeyringAction) -> TokenStorageError {
    TokenStorageError(
      .unavailable,
      """
      Could not \(action.rawValue): it did not respond in time. It is unknown whether the call has changed the keyring. Restart \
      the keyring's service or sign in to the desktop again.
      """)
  }

  static func serviceEnded(during action: KeyringAction) -> TokenStorageError {
    TokenStorageError(
      .unavailable,
      """
      Could not \(action.rawValue): the keyring's service ended. It is unknown whether the call has changed the keyring. Start \
      the service if it does not restart, and try again.
      """)
  }

  /// Maps an error of libsecret, GLib or the keyring's service.
  init(_ fault: KeyringFault) {
    let failure = "Could not \(fault.action.rawValue)"
    switch fault.kind {
    case .locked: self = .keyringLocked
    case .noBus: self = .noBus
    case .noService: self = .noService
    case .noResponse: self = .noResponse(to: fault.action)
    case .itemGone:
      self.init(
        .unavailable, "\(failure): in each attempt, an item disappeared or could not be examined. Try again.")
    case .denied:
      self.init(
        .unavailable,
        """
        \(failure): access is denied. Run the program as the user of the desktop session. In a sandbox, allow access to \
        org.freedesktop.secrets. \(fault.text)
        """)
    case .disconnected:
      self.init(
        .unavailable,
        """
        \(failure): the connection to the session bus was closed. It is unknown whether the call has changed the keyring. Try \
        again, or sign in to the desktop again.
        """)
    case .cancelled, .other:
      let remedy =
        fault.action == .connect
        ? "Check DBUS_SESSION_BUS_ADDRESS, or use FileTokenStorage."
        : "Try again, and restart the keyring's service if that does not help."
      self.init(.unavailable, "\(failure). \(remedy) \(fault.text)")
    }
  }
}
