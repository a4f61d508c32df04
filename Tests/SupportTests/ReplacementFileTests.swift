// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite struct ReplacementFileTests {
  /// A file that is in place of the temporary one.
  enum Rest: CaseIterable { case nothing, ofKilledProcess, ofOtherUsers, link, folder, pipe, inUse }

  @Test(arguments: Rest.allCases) func fileIsReplacedWhateverIsInTheFolder(_ rest: Rest) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
    try FilePermissions.makePrivateFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (path, other) = ("\(folder)/file", "\(folder)/file.0.tmp")
    var holder: ReplacementFile?
    switch rest {
    case .nothing: break
    case .ofKilledProcess, .ofOtherUsers:
      try Data(repeating: 1, count: 9_000).write(to: URL(filePath: other))
      try FilePermissions.set(rest == .ofKilledProcess ? 0o600 : 0o644, ofItemAt: other)
    case .link: try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "target")
    case .folder: try FilePermissions.makePrivateFolder(other)
    case .pipe: #expect(unsafe mkfifo(other, 0o600) == 0)
    case .inUse: holder = try ReplacementFile(for: path, reserving: 5)
    }
    let file = try ReplacementFile(for: path, reserving: 10_000)
    let isAlone = rest == .nothing || rest == .ofKilledProcess
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == (isAlone ? 1 : 2))
    try file.replace(with: Array("new".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try FilePermissions.ofItem(at: path) == 0o600)
    try holder?.replace(with: Array("newer".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == (holder == nil ? "new" : "newer"))
    // An unused one leaves nothing.
    let before = try FileManager.default.contentsOfDirectory(atPath: folder)
    _ = try ReplacementFile(for: path, reserving: 1)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == Set(before))
  }
}
