// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import Synchronization
import TestSupport
import Testing

@Suite(.takesTurns)
struct LoopbackServerTests {
  @Test(arguments: [
    ("GET /a%20b?c=d%26&e HTTP/1.1", "/a%20b?c=d%26&e"),
    ("GET //elsewhere/a HTTP/1.1", "//elsewhere/a"),
    ("GET /%2?a=%zz%2Fb%c3&c=5% HTTP/1.1", "/%252?a=%25zz%2Fb%c3&c=5%25"),
    ("GET /[a]\\?b=|\"^`{}<>é[0] HTTP/1.1", "/%5Ba%5D%5C?b=%7C%22%5E%60%7B%7D%3C%3E%C3%A9%5B0%5D"),
    ("GET http://HOST/%?b HTTP/1.1", "/%25?b"),
    ("GET http://HOST/a?b HTTP/1.1", "/a?b"),
    ("GET HTTP://localhost:PORT?b HTTP/1.1", "/?b"),
  ])
  func addressIsTheServersOwnWithThePathAskedFor(line: String, path: String) async throws {
    let url = Mutex<URL?>(nil)
    try await withServer { request in
      url.withLock { $0 = request.url }
      return HTTPResponse(status: 204)
    } _: { server in
      let line = line.replacing("PORT", with: "\(server.port)")
      let response = try await server.exchange("\(line)\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 204 "))
      #expect(url.withLock { $0?.absoluteString } == "http://127.0.0.1:\(server.port)\(path)")
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
  func answersUnderItsLoopbackNames(name: String) async throws {
    try await withServer(echo) { server in
      let response = try await server.exchange(
        "GET / HTTP/1.1\r\nHost: \(name):\(server.port)\r\nConnection: close\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(arguments: [(80, true), (81, false), (8080, false), (443, false), (0, false)])
  func defaultPortAloneMayBeLeftOut(_ port: Int, _ mayBeLeftOut: Bool) {
    let names = ["127.0.0.1", "[::1]", "localhost"]
    #expect(
      LoopbackServer.authorities(port: port) == Set(names.map { "\($0):\(port)" } + (mayBeLeftOut ? names : [])))
  }

  @Test(arguments: [
    "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:PORT", "localhost.:PORT", "",
  ])
  func refusesAForeignHost(host: String) async throws {
    try await withServer(unreachable) { server in
      let host = host.replacing("PORT", with: "\(server.port)")
      let response = try await server.exchange("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 421 "))
      let absolute = try await server.exchange("GET http://\(host)/ HTTP/1.1\r\nHost: HOST\r\n\r\n")
      #expect(absolute.hasPrefix("HTTP/1.1 421 "))
    }
  }

  @Test func listensOnIPv6WhereTheMachineHasIt() async throws {
    do {
      let server = try await LoopbackServer.start(on: .ipv6, handler: echo)
      #expect(server.url.absoluteString == "http://[::1]:\(server.port)")
      await server.stop()
    } catch let error as LoopbackError {
      #expect(error.code == .familyUnavailable)
    }
  }

  #if os(Linux)  // elsewhere 127.0.0.2 is not configured
    @Test func otherAddressesOfTheMachineAreNotBound() async throws {
      try await withServer(echo) { server in
        // 127.0.0.2 is a URL of this machine too: a wildcard listener would respond there.
        await #expect(throws: RawClient.Fault.self) {
          _ = try await RawClient.connect(to: server.port, address: 0x7F00_0002)
        }
      }
    }

    @Test func onIPv6OnlyLoopbackIsBound() async throws {
      let server: LoopbackServer
      do {
        server = try await LoopbackServer.start(on: .ipv6, handler: echo)
      } catch let error as LoopbackError where error.code == .familyUnavailable {
        return
      }
      // No second address is sure to exist, so the kernel is asked: "::1" is in its table as four words of the machine's byte order.
      let table = try String(contentsOfFile: "/proc/net/tcp6", encoding: .utf8)
      let port = String(server.port, radix: 16, uppercase: true)
      let ending = ":" + String(repeating: "0", count: 4 - port.count) + port
      let bound = table.split(separator: "\n").compactMap { line -> Substring? in
        // The line's number, the local address, the remote one, and the state: 0A is listening.
        let columns = line.split(separator: " ")
        guard columns.count > 3, columns[1].hasSuffix(ending), columns[3] == "0A" else { return nil }
        return columns[1].dropLast(ending.count)
      }
      let loopback = "000000000000000000000000" + (UInt32(1).littleEndian == 1 ? "01000000" : "00000001")
      #expect(bound == [Substring(loopback)])
      await server.stop()
    }
  #endif

  @Test func aPortInUseIsReported() async throws {
    try await withServer(echo) { server in
      let error = await #expect(throws: LoopbackError.self) {
        _ = try await LoopbackServer.start(port: server.port, handler: echo)
      }
      #expect(error?.code == .addressInUse)
    }
  }

  /// The errors for the numbers with which the system refuses to listen.
  @Test(
    arguments: [
      (EADDRINUSE, .addressInUse), (EAFNOSUPPORT, .familyUnavailable), (EADDRNOTAVAIL, .familyUnavailable),
      (EACCES, .permissionDenied), (EPERM, .permissionDenied), (EMFILE, .system), (0, .system),
    ] as [(Int32, LoopbackError.Code)])
  func numberOfTheSystemHasItsError(_ number: Int32, _ code: LoopbackError.Code) {
    for (family, host) in [(LoopbackServer.Family.ipv4, "127.0.0.1"), (.ipv6, "[::1]")] {
      let error = LoopbackError(errno: number, family: family, port: 443)
      #expect(error.code == code && error.description == error.message && error.errorDescription == error.message)
      #expect(error.message.contains(code == .familyUnavailable ? host : "\(host):443"))
    }
  }

  @Test(arguments: [-1, 65_536]) func anImpossiblePortIsReported(port: Int) async throws {
    let error = await #expect(throws: LoopbackError.self) {
      _ = try await LoopbackServer.start(port: port, handler: echo)
    }
    #expect(error?.code == .invalidPort)
  }

  @Test func aFixedPortCanBeTakenAgainAtOnce() async throws {
    let free = try await LoopbackServer.start(handler: echo)
    await free.stop()
    let first = try await LoopbackServer.start(port: free.port, handler: echo)
    _ = try await first.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
    await first.stop()
    let second = try await LoopbackServer.start(port: free.port, handler: echo)
    #expect(second.port == free.port)
    await second.stop()
  }
}

/// A handler for requests that no handler is to see.
func unreachable(_ request: HTTPRequest) async -> HTTPResponse {
  Issue.record("The handler was given a request that is to be refused.")
  return HTTPResponse(status: 200)
}
