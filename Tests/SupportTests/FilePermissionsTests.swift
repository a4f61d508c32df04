// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite struct FilePermissionsTests {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "permissions-\(UUID().uuidString)").path(
      percentEncoded: false)

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) throws -> String {
      try Data().write(to: URL(filePath: "\(path)/\(name)"))
      return "\(path)/\(name)"
    }
  }

  @Test(arguments: [0o600, 0o644, 0o700, 0o4711]) func permissionsAreReadAndSet(_ permissions: Int) throws {
    let folder = try Folder()
    let file = try folder.file("file")
    try FilePermissions.set(permissions, ofItemAt: file)
    #expect(try FilePermissions.ofItem(at: file) == permissions)
    let attribute = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
    #expect(attribute?.intValue == permissions)
  }

  @Test func linkHasItsOwnPermissions() throws {
    let folder = try Folder()
    let file = try folder.file("file")
    try FilePermissions.set(0o600, ofItemAt: file)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(try FilePermissions.ofItem(at: link) != 0o600)
  }

  @Test func fileThatDoesNotExistIsAnErrorInsteadOfNoPermissions() throws {
    let path = try Folder().path
    let expected = FileAccessError(path, ENOENT)
    #expect(throws: expected) { try FilePermissions.ofItem(at: path) }
    #expect(throws: expected) { try FilePermissions.set(0o600, ofItemAt: path) }
  }

  @Test(arguments: ["a", "a/b/c", "a//b/", "b/./c"]) func newFoldersArePrivate(_ name: String) throws {
    let folder = try Folder()
    let path = "\(folder.path)/\(name)"
    try FilePermissions.makePrivateFolder(path)
    var below = folder.path
    for part in name.split(separator: "/") {
      below += "/\(part)"
      #expect(try FilePermissions.ofItem(at: below) == 0o700)
    }
  }

  @Test func relativePathIsBelowTheCurrentFolder() throws {
    let folder = try Folder()
    let parents = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in ".." }
    let path = (parents + [String(folder.path.dropFirst()), "new", "folder"]).joined(separator: "/")
    try FilePermissions.makePrivateFolder(path)
    #expect(try FilePermissions.ofItem(at: folder.path + "/new/folder") == 0o700)
  }

  @Test func existingFolderKeepsItsPermissions() throws {
    let folder = try Folder()
    try FilePermissions.set(0o755, ofItemAt: folder.path)
    try FilePermissions.makePrivateFolder(folder.path)
    try FilePermissions.makePrivateFolder(folder.path + "/new")
    #expect(try FilePermissions.ofItem(at: folder.path) == 0o755)
  }

  @Test func fileInPlaceOfAFolderIsAnError() throws {
    let folder = try Folder()
    let path = try folder.file("file")
    #expect(throws: FileAccessError(path, ENOTDIR)) { try FilePermissions.makePrivateFolder(path) }
    #expect(throws: FileAccessError("\(path)/a", ENOTDIR)) { try FilePermissions.makePrivateFolder("\(path)/a") }
    #expect(throws: FileAccessError("", ENOENT)) { try FilePermissions.makePrivateFolder("") }
  }
}
