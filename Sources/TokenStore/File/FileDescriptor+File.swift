// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Returns the file's status.
  ///
  /// It never fails for an open descriptor on a working disk.
  func status() -> stat? {
    var status = stat()
    // Safe: the pointer is valid for the call, which fills in exactly one `stat`.
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Reads to the end, or returns `nil` with `errno` set.
  ///
  /// Stops once there are more than `limit` bytes.
  func read(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      // Safe: the pointer is valid for the call, which writes at most as many bytes as the array has.
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        retrying { unsafe systemRead(number, buffer.baseAddress, buffer.count) }
      }
      if count < 0 { return nil }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}

// The method above would hide the function's own name.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}
