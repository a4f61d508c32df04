// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import LoopbackHTTP

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Sandbox {
  /// Returns a transport that serves one origin in this process, without any socket.
  ///
  /// With ``Configuration/googleCloud``, it serves Google Cloud's hosts too. Every other origin is unreachable through it.
  ///
  /// - Parameter url: Any URL of the origin.
  public func transport(at url: URL = inProcessURL) -> some Transport {
    SandboxTransport(sandbox: self, origin: Origin(url))
  }

  /// Serves on a loopback address until the server is stopped.
  ///
  /// - Parameters:
  ///   - family: The loopback address.
  ///   - port: The port, or 0 for one that the system picks.
  /// - Returns: The server, whose `url` is the base URL and, unless another is configured, the issuer.
  /// - Throws: `LoopbackError`.
  public func serve(on family: LoopbackServer.Family = .ipv4, port: Int = 0) async throws -> LoopbackServer {
    try await LoopbackServer.start(on: family, port: port) { [self] request in await respond(to: request) }
  }
}

private struct SandboxTransport: Transport {
  let sandbox: Sandbox
  let origin: Origin?

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    try request.validate()
    guard let origin, Origin(request.url) == origin else {
      if let cloud = sandbox.configuration.googleCloud, cloud.serves(request.url) {
        return try await cloud.transport().send(request)
      }
      throw TransportError(.unreachable, "The sandbox serves one origin, and the request is for another.")
    }
    let response = await sandbox.respond(to: request)
    try Task.checkCancellation()
    return response
  }
}
