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

/// A pair of sockets, or a pipe on Apple platforms, that libcurl has opened internally and that child programs would inherit.
///
/// libcurl has a callback for the sockets of connections, so child programs never inherit these. It has none for its pairs.
/// This type therefore finds a pair after libcurl has created it.
struct SocketPair {
  private let end: Int32

  /// Creates the pair with a socket as one end.
  init(end: Int32) { self.end = end }

  /// Finds the pair that `curl_multi_wakeup` writes to, or returns `nil` if there is none.
  init?(waking multi: UnsafeMutableRawPointer) {
    let before = OpenDescriptors.all.filter { Self.isInherited($0) && almanac_unread_bytes($0) == 0 }
    guard !before.isEmpty, unsafe almanac_curl_multi_wakeup(multi) == CURLM_OK else { return nil }
    let end = before.first { almanac_unread_bytes($0) == 1 }
    // Consumes the wake-up.
    _ = unsafe almanac_curl_multi_poll(multi, nil, 0, 0, nil)
    guard let end, almanac_unread_bytes(end) == 0 else { return nil }
    self.end = end
  }

  /// Prevents child programs from inheriting either end.
  func keepFromPrograms() {
    guard Self.isInherited(end) else { return }
    for number in [end, other].compactMap(\.self) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }

  /// The other end, whose number need not be adjacent, or `nil` if it cannot be found.
  ///
  /// Descriptors of other code in the process are only inspected. Nothing is read from them, not even a pending error.
  private var other: Int32? {
    // Both ends of a pipe are the same file.
    if let file = Self.status(end), file.st_mode & S_IFMT == S_IFIFO {
      return OpenDescriptors.all.first { $0 != end && Self.isInherited($0) && Self.status($0)?.st_ino == file.st_ino }
    }
    // No system call returns the other end. It is the socket that receives the bytes sent to this end.
    let token = UInt64.random(in: .min ... .max)
    guard Self.isOfPair(end), Self.send(token, to: end) else { return nil }
    let size = MemoryLayout.size(ofValue: token)
    func isOther(_ number: Int32) -> Bool {
      number != end && Self.isInherited(number) && Self.isOfPair(number)
        && Int(almanac_unread_bytes(number)) == size && Self.takes(token, from: number)
    }
    // Listing all descriptors takes a system call for each open one.
    return [end + 1, end - 1].first(where: isOther) ?? OpenDescriptors.all.first(where: isOther)
  }

  /// Whether a socket is one of a pair: a local stream without a name.
  private static func isOfPair(_ number: Int32) -> Bool {
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout.size(ofValue: name))
    // Safe: the system writes at most the size of the local, which may be read as any kind of name.
    let result = unsafe withUnsafeMutablePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(number, $0, &size) }
    }
    guard result == 0, Int32(name.ss_family) == AF_UNIX else { return false }
    var type: Int32 = 0
    var typeSize = socklen_t(MemoryLayout.size(ofValue: type))
    // Safe: the system writes at most the size of the local.
    guard unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &typeSize) == 0 else { return false }
    #if canImport(Darwin)
      return type == PrivateSocket.stream
    #else
      // The name of a socket without one is its family alone.
      return type == PrivateSocket.stream && Int(size) == MemoryLayout<sa_family_t>.size
    #endif
  }

  private static func send(_ token: UInt64, to socket: Int32) -> Bool {
    // The other end may be closed already.
    #if canImport(Darwin)
      var on: Int32 = 1
      // Safe: reads the local.
      _ = unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on)))
      let flags = MSG_DONTWAIT
    #else
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
    // Safe: the pointer and the count are the local's own.
    return unsafe withUnsafeBytes(of: token) { bytes in
      unsafe systemSend(socket, bytes.baseAddress, bytes.count, flags) == bytes.count
    }
  }

  /// Removes a token from a socket if it is next.
  private static func takes(_ token: UInt64, from socket: Int32) -> Bool {
    var next: UInt64 = 0
    let size = MemoryLayout.size(ofValue: next)
    // Safe: at most as many bytes are written as the local has.
    guard unsafe recv(socket, &next, size, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == size, next == token else {
      return false
    }
    return unsafe recv(socket, &next, size, Int32(MSG_DONTWAIT)) == size
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

// A global function, because the method `send` above hides the system's function.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  unsafe send(socket, bytes, count, flags)
}
