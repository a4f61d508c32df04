// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite struct BaseDirectoryTests {
  @Test(
    arguments: [
      (BaseDirectory.data, ["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data"),
      (.data, ["HOME": "/home/me"], "/home/me/.local/share"),
      (.data, ["XDG_DATA_HOME": "data", "HOME": "/home/me"], "/home/me/.local/share"),
      (.data, ["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share"),
      (.configuration, ["XDG_CONFIG_HOME": "/settings", "HOME": "/home/me"], "/settings"),
      (.configuration, ["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/home/me/.config"),
    ])
  func variableCountsIfItIsAnAbsolutePath(directory: BaseDirectory, environment: [String: String], path: String) {
    #expect(directory.path(environment: environment) == path)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "me"]])
  func homeOfTheUserCountsWhereTheVariableIsNoAbsolutePath(environment: [String: String]) {
    let home = URL.homeDirectory.path(percentEncoded: false)
    let configuration = home.hasSuffix("/") ? home + ".config" : home + "/.config"
    #expect(BaseDirectory.configuration.path(environment: environment) == configuration)
  }
}
