// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import PlatformFoundation
import Support

/// An attempted action, as in "could not …".
enum KeyringAction: String {
  case connect = "connect to the session bus"
  case open = "open the keyring"
  case unlock = "unlock the keyring"
  case create = "create the default keyring"
  case search = "search the keyring"
  case read = "read from the keyring"
  case write = "write to the keyring"
  case rename = "rename an item of the keyring"
  case remove = "remove an item from the keyring"

  /// Whether the user answers a prompt meanwhile.
  var showsPrompt: Bool { self == .unlock || self == .create }
}

/// An error that libsecret, GLib or the keyring's service has returned.
struct KeyringFault: Error {
  /// The kinds of errors with a remedy of their own.
  enum Kind {
    case locked
    case itemGone
    case cancelled
    case noBus
    case noService
    case denied
    case disconnected
    case noResponse
    case other
  }

  let action: KeyringAction
  let kind: Kind
  /// The error's text, domain and code, without secrets.
  let text: String

  init(_ action: KeyringAction, _ error: almanac_secret_error, hiding secrets: [String]) {
    // Safe: the names of domains are constants, and the message is valid until the error is freed. Both are copied.
    let domain =
      unsafe almanac_g_quark_to_string(error.domain).map { unsafe String(cString: $0) } ?? "unknown"
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let code = unsafe Int(error.code)
    self.action = action
    kind = Self.kind(action, domain, code)
    text = "\(ServerText.shown(message, hiding: secrets, limit: 200)) (\(domain) \(code))"
  }

  /// The domains and codes of `SecretError`, `GDBusError` and `GIOErrorEnum`.
  private static func kind(_ action: KeyringAction, _ domain: String, _ code: Int) -> Kind {
    switch (domain, code) {
    case ("secret-error", 2): .locked
    // No such object; unknown method, which services without the object return; unknown object.
    case ("secret-error", 3), ("g-dbus-error-quark", 19), ("g-dbus-error-quark", 41): .itemGone
    // Unknown service; no owner; the errors of starting a service, except a lack of memory.
    case ("g-dbus-error-quark", 2...3), ("g-dbus-error-quark", 23...33): .noService
    // Access denied; authentication failed; permission denied.
    case ("g-dbus-error-quark", 9...10), ("g-io-error-quark", 14): .denied
    case ("g-io-error-quark", 19): .cancelled
    // No reply; timeout, in three forms.
    case ("g-dbus-error-quark", 4), ("g-dbus-error-quark", 12), ("g-dbus-error-quark", 20),
      ("g-io-error-quark", 24):
      .noResponse
    // Not found; connection refused; the errors of starting a bus.
    case ("g-io-error-quark", 1), ("g-io-error-quark", 39), ("g-exec-error-quark", _):
      action == .connect ? .noBus : .other
    // Failed: without an address, this means that no bus was found.
    case ("g-io-error-quark", 0): action == .connect && !hasBusAddress ? .noBus : .other
    // Disconnected; closed; broken pipe.
    case ("g-dbus-error-quark", 15), ("g-io-error-quark", 18), ("g-io-error-quark", 44):
      .disconnected
    default: .other
    }
  }

  private static var hasBusAddress: Bool {
    ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false
  }
}
