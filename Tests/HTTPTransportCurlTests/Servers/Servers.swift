// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing

/// The suites that need the servers of `Tools/Servers`.
@Suite(
  .enabled(if: Servers.areRunning, "Tools/Servers/test-http starts the servers that these tests need, and runs them."),
  .takesTurns)
enum ServerTests {}

/// The servers that `Tools/Servers/run.py` has started.
struct Servers: Decodable {
  /// The folder of the certificates.
  private let folder: String
  private let ports: [String: Int]

  private static let description = ProcessInfo.processInfo.environment["ALMANAC_TEST_SERVERS"]

  static var areRunning: Bool { description != nil }

  init() throws {
    self = try JSONDecoder().decode(Servers.self, from: Data(try #require(Self.description).utf8))
  }

  func port(_ name: String) throws -> Int { try #require(ports[name], "no server is called \(name)") }

  /// A URL on the server of a name.
  func url(_ name: String, _ path: String = "/", scheme: String = "https", host: String = "127.0.0.1") throws -> URL {
    try #require(URL(string: "\(scheme)://\(host):\(port(name))\(path)"))
  }

  /// The path of a file beside the certificates.
  func file(_ name: String) -> String { "\(folder)/\(name)" }

  /// Trust in the authority of the tests alone.
  var trust: TLSOptions { TLSOptions(authorities: .file(file("ca.pem"))) }

  /// Returns the number of requests with this name, and the servers' notes about them.
  func log(_ name: String) async throws -> LogEntry {
    let http = CurlTransport(proxy: .none)
    let response = try await http.send(HTTPRequest(.get, url("log", "/\(name)", scheme: "http")))
    return try JSONDecoder().decode(LogEntry.self, from: Data(response.body))
  }

  /// Waits until the servers have been asked with this name so many times.
  func waitForLog(_ name: String, count: Int = 1) async throws {
    for _ in 1...10_000 where try await log(name).count >= count { return }
    Issue.record("The servers have not been asked \(count) times with the name \(name).")
  }

  struct LogEntry: Decodable {
    let count: Int
    let lines: [String]
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
  /// A name that no other test uses.
  static func unique() -> String { UUID().uuidString.lowercased() }
}
