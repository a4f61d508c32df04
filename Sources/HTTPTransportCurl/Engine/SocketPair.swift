// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pair of sockets, or on Apple platforms a pipe, that libcurl has opened for itself, and that programs would inherit.
///
/// libcurl has a callback for the sockets of connections, which are private from their creation on. Of its pairs it tells nothing, so they
/// are found after their creation.
struct SocketPair {
  private let end: Int32

  /// The pair that a socket is an end of.
  init(end: Int32) { self.end = end }

  /// The pair that `curl_multi_wakeup` writes to; `nil` if there is none.
  init?(waking multi: UnsafeMutableRawPointer) {
    let before = OpenDescriptors.all.filter { Self.isInherited($0) && almanac_unread_bytes($0) == 0 }
    guard !before.isEmpty, unsafe curl_multi_wakeup(multi) == CURLM_OK else { return nil }
    let end = before.first { almanac_unread_bytes($0) == 1 }
    // Takes the wake-up back.
    _ = unsafe curl_multi_poll(multi, nil, 0, 0, nil)
    guard let end, almanac_unread_bytes(end) == 0 else { return nil }
    self.end = end
  }

  /// Makes programs inherit neither end.
  func keepFromPrograms() {
    guard Self.isInherited(end) else { return }
    for number in [end, end + 1, end - 1] where number == end || isOther(number) {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Whether a descriptor is the other end: the two have numbers that follow one another, in the process and in the system.
  private func isOther(_ number: Int32) -> Bool {
    guard Self.isInherited(number), let mine = Self.status(end), let other = Self.status(number) else { return false }
    // A pipe is one file.
    if mine.st_mode & S_IFMT == S_IFIFO { return other.st_ino == mine.st_ino }
    return other.st_ino == mine.st_ino &+ 1 || mine.st_ino == other.st_ino &+ 1
  }

  private static func isInherited(_ number: Int32) -> Bool {
    let flags = fcntl(number, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0, let status = status(number) else { return false }
    return [S_IFSOCK, S_IFIFO].contains(status.st_mode & S_IFMT)
  }

  private static func status(_ number: Int32) -> stat? {
    var status = stat()
    // Safe: the call fills the local.
    return unsafe fstat(number, &status) == 0 ? status : nil
  }
}
