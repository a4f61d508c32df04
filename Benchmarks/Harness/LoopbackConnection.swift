// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client's connection to a server in this process: the system calls, and nothing that would be measured with them.
final class LoopbackConnection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 4096)

  init(port: Int) {
    socket = Foundation.socket(AF_INET, Self.stream, 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = UInt16(port).bigEndian
    // A `sockaddr_in` may be read as a `sockaddr`; the size is its own.
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
    // The array is the call's alone while it lasts, and its own count goes with it.
    let sent = unsafe send(socket, request, request.count, 0)
    precondition(sent == request.count, "the server does not read")
  }

  /// Reads a response to the end that its `Content-Length` names.
  ///
  /// - Returns: The status code.
  func read() -> Int {
    var count = 0
    var length: Int?
    while length.map({ count < $0 }) ?? true {
      if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
      // The rest of the array is free, and its count goes with it.
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

  /// The length of a response whose head is complete.
  private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    guard let field = head.firstRange(of: "\r\ncontent-length: ") else { return end }
    return end + (Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0)
  }

  /// Lets the process have as many descriptors as the system allows.
  static func raiseLimit() {
    var limit = rlimit()
    // The pointer is to a local.
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
