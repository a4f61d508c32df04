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
  /// Returns what the file is; never fails for an open descriptor on a disk that works.
  func status() -> stat? {
    var status = stat()
    // The pointer is valid for the call, which fills in exactly one `stat`.
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Reads to the end, or returns `nil` with `errno` set.
  ///
  /// Stops once there are more than `limit` bytes.
  func read(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      // The pointer is valid for the call, which writes at most as many bytes as the array has.
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        retrying { unsafe systemRead(number, buffer.baseAddress, buffer.count) }
      }
      if count < 0 { return nil }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Writes all of `bytes`; `false`, with `errno` set, if that was not possible.
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The pointer is valid for the call, which reads at most as many bytes as the slice has.
      let count = unsafe rest.withUnsafeBytes { buffer in
        retrying { unsafe systemWrite(number, buffer.baseAddress, buffer.count) }
      }
      guard count > 0 else {
        if count == 0 { errno = EIO }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until the content is on the disk; `false`, with `errno` set, if that was not possible.
  func synchronize() -> Bool {
    #if canImport(Darwin)
      // `fsync` alone leaves the content in the drive's cache there. Not every file system knows the better call.
      if fcntl(number, F_FULLFSYNC) == 0 { return true }
    #endif
    return retrying { Int(fsync(number)) } == 0
  }
}

/// Repeats a system call for as long as a signal interrupts it.
func retrying(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

// Under names that the methods above do not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, buffer, count)
}
