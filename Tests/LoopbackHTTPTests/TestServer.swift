// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport

/// Runs `body` with a server that is stopped afterwards, however it ends.
func withServer(
  on family: LoopbackServer.Family = .ipv4, limits: LoopbackServer.Limits = .init(),
  _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer) async throws -> Void
) async throws {
  let server = try await LoopbackServer.start(on: family, limits: limits, handler: handler)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Responds with the method, the size of the body and the body.
func echo(_ request: HTTPRequest) async -> HTTPResponse {
  HTTPResponse(status: 200, body: Array("\(request.method) \(request.body?.count ?? -1) ".utf8) + (request.body ?? []))
}

extension LoopbackServer {
  var authority: String { "127.0.0.1:\(port)" }

  /// Sends `text`, in which `HOST` stands for the server's authority, on a connection of its own.
  ///
  /// - Returns: Everything that comes back until the server closes the connection.
  func exchange(_ text: String) async throws -> String {
    let client = try await RawClient.connect(to: port)
    await client.send(text.replacing("HOST", with: authority))
    return try await client.readToEnd()
  }
}

extension HTTPRequest {
  var lastPathComponent: String { url.lastPathComponent }
}
