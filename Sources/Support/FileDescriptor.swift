// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#else
  package import Glibc
#endif

/// The owner of a file descriptor, which closes it on deinitialization.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor, valid for as long as this value lives.
  package let number: Int32

  /// Takes ownership of a descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Returns the descriptor and gives up its ownership, without closing it.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Makes reads and writes fail with `EAGAIN` instead of waiting.
  package borrowing func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

extension FileDescriptor {
  /// Writes all of `bytes`, or returns `false`, with `errno` set, if this fails.
  package func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safe: the pointer is valid for the call, which reads at most as many bytes as the slice has.
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

  /// Returns the file's status.
  ///
  /// It never fails for an open descriptor on a working disk.
  package func status() -> stat? {
    var status = stat()
    // Safe: the pointer is valid for the call, which fills in exactly one `stat`.
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Reads to the end, or returns `nil` with `errno` set.
  ///
  /// Stops once there are more than `limit` bytes.
  package func read(limit: Int) -> [UInt8]? {
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

  /// Waits until the content is on the disk, or returns `false`, with `errno` set, if this fails.
  package func synchronize() -> Bool {
    #if canImport(Darwin)
      // On Apple platforms, `fsync` alone leaves the content in the drive's cache. Not every file system supports `F_FULLFSYNC`.
      if fcntl(number, F_FULLFSYNC) == 0 { return true }
    #endif
    return retrying { Int(fsync(number)) } == 0
  }

  /// Reserves durable space in a new file for ``replaceContent(with:)``, or returns `false`, with `errno` set, if this
  /// fails.
  ///
  /// The file is filled with spaces, which JSON ignores.
  ///
  /// - Parameter size: The maximum size of the content, in bytes.
  package func reserve(_ size: Int) -> Bool {
    // The bytes are written, because not every file system can allocate space in another way.
    write([UInt8](repeating: 0x20, count: size)) && synchronize()
  }

  /// Replaces the content durably, in the file's space, or returns `false`, with `errno` set, if this fails.
  package func replaceContent(with bytes: [UInt8]) -> Bool {
    lseek(number, 0, SEEK_SET) == 0 && write(bytes) && ftruncate(number, off_t(bytes.count)) == 0 && synchronize()
  }
}

/// Repeats a system call while signals interrupt it.
package func retrying(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

// Global functions, because the methods above hide the system's functions.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, buffer, count)
}
