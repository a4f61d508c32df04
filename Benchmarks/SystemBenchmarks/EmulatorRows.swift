// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import BenchmarkHarness
import CalendarAPI
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import TokenStore

/// Requests to the emulator of the Calendar API, over HTTP on loopback from the same process.
enum EmulatorRows {
  static let path = "emulator"

  static var rows: [Row] {
    let emulator = wait { try await Emulator() }
    let kept = wait { try await Emulator(folder: folder.path(percentEncoded: false)) }
    return [
      row("events.get", emulator, emulator.get),
      row("events.list, 250 events", emulator, emulator.request("GET", "events?maxResults=250")),
      row("events.patch", emulator, emulator.patch),
      row("events.get, 8 connections", emulator, emulator.get, connections: 8),
      row("events.patch, kept in a folder", kept, kept.patch),
      row("events.patch, kept in a folder, 8 connections", kept, kept.patch, connections: 8),
    ]
  }

  private static let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-emulator-\(UUID())")

  /// Removes the files of the rows.
  static func removeFiles() { try? FileManager.default.removeItem(at: folder) }

  /// Returns a contender that sends a request on each of several connections before it reads the first response, in one thread.
  private static func row(_ name: String, _ emulator: Emulator, _ request: [UInt8], connections count: Int = 1) -> Row {
    let connections = (0..<count).map { _ in LoopbackConnection(port: emulator.port) }
    let bare = (0..<count).map { _ in LoopbackConnection(port: emulator.barePort) }
    let bareRequest = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(emulator.barePort)\r\n\r\n".utf8)
    let exchange = { (connections: [LoopbackConnection], request: [UInt8]) -> [Int] in
      for connection in connections { connection.write(request) }
      return connections.map { $0.read() }
    }
    return Row(
      path, name,
      ours: Contender(
        "Sandbox", items: count, check: { exchange(connections, request).lazy.compactMap(answer).first },
        { exchange(connections, request).count }),
      baselines: [
        Contender("LoopbackServer", items: count, doesLess: "responds with 204") {
          exchange(bare, bareRequest).count
        }
      ])
  }

  private static func answer(_ status: Int) -> String? { status == 200 ? nil : "status \(status)" }
}

/// A sandbox with 250 events, and a client that may change them.
private struct Emulator: Sendable {
  let port: Int
  let barePort: Int
  private let token: Secret

  /// - Parameter folder: The folder of the calendars, or `nil` for memory only.
  init(folder: String? = nil) async throws {
    let configuration = Sandbox.Configuration { $0.accessTokenLifetime = .seconds(3600 * 24) }
    let sandbox =
      if let folder {
        try Sandbox(keepingIn: URL(filePath: folder), configuration: configuration)
      } else {
        Sandbox(configuration: configuration)
      }
    let server = try await sandbox.serve()
    port = server.port
    barePort = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }.port
    let transport = sandbox.transport(at: server.url)
    let provider = sandbox.provider(at: server.url)
    let client = try OAuthClient(
      server: provider.server, registration: ClientRegistration(clientID: "almanac"), transport: transport)
    guard let redirect = URL(string: "http://127.0.0.1:49152/callback") else { throw URLError(.badURL) }
    let pending = try await client.beginAuthorization(
      scopes: ["https://www.googleapis.com/auth/calendar"], redirectURI: redirect)
    token = try await client.completeAuthorization(pending, callback: try sandbox.approve(pending.authorizationURL))
      .accessToken
    for index in 0..<250 {
      let id = "event\(String(index + 1000).dropFirst())"
      let event =
        #"{"id":"\#(id)","summary":"Planificación","start":{"dateTime":"2026-03-01T09:30:00+01:00"},"#
        + #""end":{"dateTime":"2026-03-01T10:30:00+01:00"},"attendees":[{"email":"ana@example.com"}]}"#
      let request = HTTPRequest(
        .post, server.url.appending(path: Self.calendar + "events"),
        fields: ["Authorization": "Bearer \(token.reveal())", "Content-Type": "application/json"],
        body: Array(event.utf8))
      let status = try await transport.send(request).status
      precondition(status == 200, "events.insert: status \(status)")
    }
  }

  var get: [UInt8] { request("GET", "events/event000") }
  var patch: [UInt8] {
    request("PATCH", "events/event001", body: #"{"summary":"Planificación","location":"Aula 3"}"#)
  }

  private static let calendar = "calendar/v3/calendars/primary/"

  func request(_ method: String, _ path: String, body: String = "") -> [UInt8] {
    var head = "\(method) /\(Self.calendar)\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    head += "Authorization: Bearer \(token.reveal())\r\n"
    if !body.isEmpty { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    return Array((head + "\r\n" + body).utf8)
  }
}
