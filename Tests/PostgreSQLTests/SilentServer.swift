// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQLFixtures
import TestSupport

/// A server on loopback whose connections are accepted by the system, and on which nothing is ever sent.
final class SilentServer: Sendable {
  let port: Int
  private let descriptor: Int32

  init() throws {
    #if os(Linux)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Safe: the address is a local of the passed size.
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &size) == 0
      }
    }
    self.descriptor = descriptor
    guard bound else { throw ClusterError("No port on loopback is free.") }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}

/// A certificate that signs itself, in a temporary folder.
final class Certificate: Sendable {
  private static let program = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static var canBeMade: Bool { program != nil }

  let text: String
  let key: String
  /// The path of the certificate.
  let path: String
  private let folder: URL

  init(for name: String) async throws {
    guard let program = Self.program else { throw ClusterError("openssl is not installed.") }
    folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.appending(path: "cert").path
    let keyPath = folder.appending(path: "key").path
    let process = try ChildProcess(
      executable: URL(filePath: program),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout",
        keyPath, "-out", path, "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
      ], mergesErrors: true)
    guard await process.exitStatus() == 0 else { throw ClusterError("openssl made no certificate.") }
    text = try String(contentsOfFile: path, encoding: .utf8)
    key = try String(contentsOfFile: keyPath, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
