// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file system in memory of a few megabytes, which can be full or read-only.
package final class SmallDisk: Sendable {
  /// Whether this process can make one: as root, on Linux.
  package static let canBeMade = (try? SmallDisk()) != nil

  /// Its folder.
  package let path: String

  /// Makes an empty disk.
  ///
  /// - Parameter owner: The user that can use it; `nil` for this one.
  package init(megabytes: Int = 4, owner: String? = nil) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #if os(Linux)
      var options = "size=\(megabytes)m,mode=700"
      // Safe: the record is read before another call.
      if let owner, let user = unsafe getpwnam(owner) { options += unsafe ",uid=\(user.pointee.pw_uid)" }
      if unsafe mount("none", path, "tmpfs", 0, options) == 0 { return }
    #endif
    try? FileManager.default.removeItem(atPath: path)
    throw CocoaError(.fileWriteNoPermission)
  }

  deinit {
    #if os(Linux)
      _ = unsafe umount2(path, Int32(MNT_DETACH))
    #endif
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Takes all space but `spare` bytes.
  package func fill(leaving spare: Int = 0) {
    guard let filler = unsafe fopen("\(path)/filler", "w") else { return }
    let block = [UInt8](repeating: 1, count: 4_096)
    var size = 0
    while unsafe fwrite(block, 1, block.count, filler) == block.count, unsafe fflush(filler) == 0 {
      size += block.count
    }
    unsafe ftruncate(fileno(filler), off_t(max(0, size - spare)))
    unsafe fclose(filler)
  }

  /// Frees the space again.
  package func empty() { try? FileManager.default.removeItem(atPath: "\(path)/filler") }

  /// Makes the disk read-only, or writable again.
  ///
  /// - Returns: Whether it did, which an open file can prevent.
  @discardableResult
  package func setReadOnly(_ isReadOnly: Bool) -> Bool {
    #if os(Linux)
      let flags = MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0)
      return unsafe mount(nil, path, nil, UInt(flags), nil) == 0
    #else
      return false
    #endif
  }
}
