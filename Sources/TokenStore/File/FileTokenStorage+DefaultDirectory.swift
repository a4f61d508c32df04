// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FileTokenStorage {
  /// The default directory of the tokens: `almanac/tokens` in the user's data directory.
  ///
  /// On Linux that is `$XDG_DATA_HOME`, or `~/.local/share` if the variable is unset or not an absolute path
  /// ([XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/)); on Apple platforms
  /// `~/Library/Application Support`, which is inside the container of an app that has one.
  public static var defaultDirectory: String {
    defaultDirectory(environment: ProcessInfo.processInfo.environment)
  }

  package static func defaultDirectory(environment: [String: String]) -> String {
    #if canImport(Darwin)
      let data = URL.applicationSupportDirectory.path(percentEncoded: false)
    #else
      let data = BaseDirectory.data.path(environment: environment)
    #endif
    return absolute("\(data)/almanac/tokens")
  }

  /// Returns `path` from the root, without what a link could hide behind: a trailing slash or `/.`.
  static func absolute(_ path: String) -> String {
    let path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
