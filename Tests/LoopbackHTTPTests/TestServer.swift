// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport

/// Runs `body` with a server that is stopped afterwards, however it ends.
func withServer(
  limits: LoopbackServer.Limits = .init(),
  _ handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer) async throws -> Void
) async throws {
  let server = try await LoopbackServer.start(limits: limits, handler: handler)
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

  /// Returns a connection that has sent `text`, in which `HOST` stands for the server's authority.
  func client(sending text: String) async throws -> RawClient {
    let client = try await RawClient.connect(to: port)
    await client.send(text.replacing("HOST", with: authority))
    return client
  }

  /// Sends `text`, in which `HOST` stands for the server's authority, on a separate connection.
  ///
  /// - Returns: Everything that the server sends until it closes the connection.
  func exchange(_ text: String) async throws -> String { try await client(sending: text).readToEnd() }
}

extension HTTPRequest {
  var lastPathComponent: String { url.lastPathComponent }
}
