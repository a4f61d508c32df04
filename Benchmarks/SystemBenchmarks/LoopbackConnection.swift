// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client's connection to a server in this process, with no more than the system calls.
final class LoopbackConnection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 4096)

  init(port: Int) {
    socket = Foundation.socket(AF_INET, Self.stream, 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = UInt16(port).bigEndian
    // A `sockaddr_in` can be read as a `sockaddr`. The size is that of the `sockaddr_in`.
    let result = unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(socket >= 0 && result == 0, "cannot connect: errno \(errno); this takes 4,200 open files")
  }

  deinit { close(socket) }

  /// Sends a request and waits for the whole response.
  ///
  /// - Returns: The status code.
  func exchange(_ request: [UInt8]) -> Int {
    write(request)
    return read()
  }

  func write(_ request: [UInt8]) {
    // The call has exclusive access to the array, and gets its count.
    let sent = unsafe send(socket, request, request.count, 0)
    precondition(sent == request.count, "the server does not read")
  }

  /// Reads a response with the length in its `Content-Length`.
  ///
  /// - Returns: The status code.
  func read() -> Int {
    var count = 0
    var length: Int?
    while length.map({ count < $0 }) ?? true {
      if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
      // The rest of the array is unused, and the call gets its count.
      let received = unsafe buffer.withUnsafeMutableBytes { bytes in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
        return unsafe recv(socket, free.baseAddress, free.count, 0)
      }
      precondition(received > 0, "the server does not respond")
      count += received
      if length == nil { length = Self.length(of: buffer[..<count]) }
    }
    return Int(String(decoding: buffer[9..<12], as: UTF8.self)) ?? 0
  }

  /// Returns the length of a response with a complete head.
  private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let end = Self.end(of: "\r\n\r\n", in: bytes) else { return nil }
    guard let field = Self.end(of: "\r\nContent-Length: ", in: bytes[..<end]) else { return end }
    return end + bytes[field...].prefix { $0 >= 0x30 && $0 <= 0x39 }.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  /// The end of a text in bytes, or `nil` if it is not there.
  private static func end(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let text = Array(text.utf8)
    for start in bytes.indices where bytes[start] == text[0] {
      let rest = bytes[start...].prefix(text.count)
      if rest.elementsEqual(text) { return rest.endIndex }
    }
    return nil
  }

  /// Raises the limit of open descriptors to the system's maximum.
  static func raiseLimit() {
    var limit = rlimit()
    // The pointer is to a local variable.
    guard unsafe getrlimit(descriptors, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(descriptors, &limit)
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let stream = SOCK_STREAM
    private static let descriptors = RLIMIT_NOFILE
  #endif
}
