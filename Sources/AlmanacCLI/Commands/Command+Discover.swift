// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthResources
import PlatformFoundation

extension Command {
  static let discover = Command(
    name: "discover",
    summary: "Show the metadata of an authorization server or an API, and the features that Almanac would use.",
    discussion: """
      URL is an issuer or a protected resource. An issuer's metadata is read by OpenID Connect Discovery or RFC 8414. A
      resource's metadata (RFC 9728) names its authorization servers. No account is needed, and no token is sent.
      """,
    positional: ["URL"],
    options: [Option("resource", nil, "treat the URL as a protected resource, not as an issuer"), .verbose]
  ) { context in
    let text = context.arguments.positional[0]
    guard let url = URL(string: text), Origin(url)?.isSecure == true else {
      throw UsageError("URL must be an https URL. Plain http is allowed for loopback only.", command: context.command)
    }
    let http: any Transport = try context.transport().retrying(clock: context.clock)
    let found = try await Discovery.find(text, url, isResource: context.arguments.has("resource"), http)
    if context.isJSON { return try context.writeJSON(found) }
    if let resource = found.resource { context.terminal.write(rows: resource.rows) }
    for (index, server) in found.servers.enumerated() {
      if index > 0 || found.resource != nil { context.terminal.line() }
      context.terminal.write(rows: server.metadata.rows)
      context.terminal.line()
      context.terminal.line(context.terminal.bold("Almanac would use"))
      context.terminal.write(rows: server.use.rows)
    }
    for failure in found.failures { context.terminal.note(TerminalText(failure)) }
  }
}

/// The metadata found at a URL.
private struct Discovery: Encodable {
  struct Server: Encodable {
    let metadata: ServerMetadata
    let use: ServerUse
  }

  var resource: ResourceReport?
  var servers: [Server] = []
  /// The errors of the resource's authorization servers whose metadata could not be read.
  var failures: [String] = []

  /// The maximum number of authorization servers to read.
  private static let serverLimit = 10

  /// Reads an issuer's metadata, or else a resource's.
  static func find(
    _ text: String, _ url: URL, isResource: Bool, _ http: any Transport
  ) async throws -> Discovery {
    var found = Discovery()
    if !isResource {
      do {
        let server = try await ServerMetadata.discover(issuer: text, transport: http)
        found.servers = [Server(metadata: server, use: ServerUse(server, resource: nil))]
        return found
      } catch let error as OAuthError where error.code == .invalidResponse {
        // The URL may be an API's.
      }
    }
    let challenge = try await http.send(HTTPRequest(.get, url, redirectScope: .sameOrigin))
    let resource = try await ProtectedResourceMetadata.discover(
      for: url, challenge: TokenChallenge(challenge), transport: http)
    found.resource = ResourceReport(resource)
    for issuer in resource.authorizationServers.prefix(Self.serverLimit) {
      do {
        try ProtectedResourceMetadata.check(issuer: issuer, namedBy: resource.resource)
        let server = try await ServerMetadata.discover(issuer: issuer, transport: http)
        found.servers.append(Server(metadata: server, use: ServerUse(server, resource: resource)))
      } catch let error as OAuthError {
        found.failures.append(error.message)
      } catch let error as TransportError {
        found.failures.append("\(issuer): \(error)")
      }
    }
    let others = resource.authorizationServers.count - Self.serverLimit
    if others > 0 {
      found.failures.append("The resource names \(others) more authorization servers, which were not read.")
    }
    return found
  }
}

/// The metadata of a protected resource for display.
private struct ResourceReport: Encodable {
  let resource: String
  let name: String?
  let authorizationServers: [String]
  let scopesSupported: [Scope]
  let requiresDPoP: Bool

  init(_ metadata: ProtectedResourceMetadata) {
    resource = metadata.resource.absoluteString
    name = metadata.name
    authorizationServers = metadata.authorizationServers
    scopesSupported = metadata.scopesSupported
    requiresDPoP = metadata.requiresDPoP
  }

  var rows: [(label: String, value: String?)] {
    [
      ("Resource", resource), ("Name", name), ("Authorization servers", authorizationServers.shown()),
      ("Scopes", scopesSupported.listed), ("DPoP", requiresDPoP ? "required" : nil),
    ]
  }
}
