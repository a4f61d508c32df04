// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A TCP connection to a loopback port that sends exactly the bytes it is given.
///
/// The calls block, so they run on a queue of the connection's own.
package final class RawClient: Sendable {
  package enum Fault: Error { case cannotConnect(Int32), timedOut }

  private let number: Int32
  private let queue = DispatchQueue(label: "RawClient")

  private init(number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Connects, or throws the error number.
  ///
  /// - Parameter user: The user whose the socket is to be, which only the superuser can change.
  package static func connect(
    to port: Int, address: UInt32 = 0x7F00_0001, asUser user: UInt32? = nil
  ) async throws -> RawClient {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "RawClient.connect").async {
        #if canImport(Glibc)
          let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
          let number = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        let client = RawClient(number: number)
        if let user { _ = fchown(number, user, gid_t.max) }
        #if canImport(Darwin)
          var on: Int32 = 1
          _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        // For a server that hangs, not for one that is slow.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        // The pointer is to a local of the size that is passed.
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = address.bigEndian
        name.sin_port = UInt16(port).bigEndian
        // A `sockaddr_in` may be read as a `sockaddr`; the size is its own.
        let result = unsafe withUnsafePointer(to: &name) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            #if canImport(Darwin)
              unsafe Darwin.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            #elseif canImport(Musl)
              unsafe Musl.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            #else
              unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            #endif
          }
        }
        let fault = Fault.cannotConnect(errno)
        continuation.resume(with: result == 0 ? .success(client) : .failure(fault))
      }
    }
  }

  package func send(_ text: String) async { await send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) async {
    await onQueue { self.sendNow(bytes) }
  }

  /// Lets programs inherit the socket, as one of other code that does not mark it.
  package func letProgramsInherit() { _ = fcntl(number, F_SETFD, 0) }

  /// Takes the error that waits at the socket, or 0.
  package func takeError() -> Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: error))
    // The pointers are to locals of the size that is passed.
    _ = unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size)
    return error
  }

  /// Ends the sending side.
  package func finish() async {
    await onQueue { _ = shutdown(self.number, Int32(SHUT_WR)) }
  }

  /// Reads until the server ends the connection.
  package func readToEnd() async throws -> String {
    try await read(until: nil)
  }

  /// Reads until `isEnough` says so or the server ends the connection.
  package func read(until isEnough: @escaping @Sendable (String) -> Bool) async throws -> String {
    try await read(until: Optional(isEnough))
  }

  private func read(until isEnough: (@Sendable (String) -> Bool)?) async throws -> String {
    try await onQueue { () -> Result<String, any Error> in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16 * 1024)
      while !(isEnough?(String(decoding: bytes, as: UTF8.self)) ?? false) {
        // The pointer and the count are the array's own.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(self.number, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EAGAIN { return .failure(Fault.timedOut) }
        if count <= 0 { break }
        bytes += buffer[..<count]
      }
      return .success(String(decoding: bytes, as: UTF8.self))
    }.get()
  }

  /// Waits up to ten milliseconds for something to read.
  package func hasInput() async -> Bool {
    await onQueue {
      var entry = pollfd(fd: self.number, events: Int16(POLLIN), revents: 0)
      // One entry, a local.
      return unsafe poll(&entry, 1, 10) > 0
    }
  }

  private func sendNow(_ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      // The pointer and the count are the slice's own.
      #if canImport(Darwin)
        let count = unsafe rest.withUnsafeBytes { unsafe Darwin.send(number, $0.baseAddress, $0.count, flags) }
      #elseif canImport(Musl)
        let count = unsafe rest.withUnsafeBytes { unsafe Musl.send(number, $0.baseAddress, $0.count, flags) }
      #else
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(number, $0.baseAddress, $0.count, flags) }
      #endif
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
