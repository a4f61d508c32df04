// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// The folders of the [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/).
package enum BaseDirectory: String, Sendable {
  /// `$XDG_DATA_HOME`, or `~/.local/share`.
  case data = "XDG_DATA_HOME"
  /// `$XDG_CONFIG_HOME`, or `~/.config`.
  case configuration = "XDG_CONFIG_HOME"

  /// Returns the folder's path.
  ///
  /// A variable that is not an absolute path counts as unset.
  package func path(environment: [String: String]) -> String {
    func directory(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let path = directory(rawValue) { return path }
    let home = directory("HOME") ?? URL.homeDirectory.path
    return home + (self == .data ? "/.local/share" : "/.config")
  }
}
