// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import Testing

/// The commands in `Documentation/Command.md`.
@Suite struct CommandDocumentTests {
  /// The first one or two words after `almanac` in the document.
  private static let documented: Set<String> = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try? String(contentsOf: root.appending(path: "Documentation/Command.md"), encoding: .utf8)
    let names = Set(Command.all.map(\.name))
    return Set(
      (page ?? "").matches(of: /\balmanac ([a-z-]+)(?: ([a-z-]+))?/).map { match in
        let pair = "\(match.1) \(match.2 ?? "")"
        return names.contains(pair) ? pair : String(match.1)
      })
  }()

  @Test(arguments: Command.all.map(\.name)) func commandIsDocumented(_ name: String) {
    #expect(Self.documented.contains(name))
  }
}
