// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Settings {
  /// Finds the authorization server of a resource, and the command's client there.
  ///
  /// A client that was registered before for the same resource and server stays.
  ///
  /// - Throws: ``UsageError`` for other options that name a server; `OAuthError` and `TransportError` if the server is not found or
  ///   does not know the command.
  init(resource: String, _ context: Context, stored: Settings?) async throws {
    let arguments = context.arguments
    guard !["provider", "provider-url", "tenant", "api-url"].contains(where: arguments.has) else {
      throw UsageError("--resource stands alone: its server is found.", command: context.command)
    }
    guard let url = URL(string: resource), Origin(url)?.isSecure == true, url.fragment() == nil else {
      throw UsageError("--resource must be an https URL; plain http is for loopback only.", command: context.command)
    }
    let known = stored?.server.apiURL == resource ? stored : nil
    var port = try context.port("redirect-port") ?? known?.redirectPort
    // Some servers compare the port too, so that it has to be known before the registration.
    if port == nil || port == 0 { port = try await Self.freePort() }
    var identity = ClientIdentity(registering: Self.clientMetadata(port: port ?? 0))
    let given = try Self.givenClient(for: url, context)
    if let known, let issuer = known.server.issuer {
      identity.known[issuer] = ClientRegistration(clientID: known.clientID)
    }
    if given != nil {
      identity = ClientIdentity()
      identity.given = given
    }
    identity.keep = { client, issuer in
      guard client.clientSecret == nil else {
        throw OAuthError(
          .unsupported,
          "\(issuer) gives its clients secrets, which the command does not keep. Register a client there, and name it with --client-id and --client-secret-file."
        )
      }
    }
    let access = try await ResourceAccess.discover(
      url, as: identity, transport: context.transport.retrying(clock: context.clock))
    self.init(
      server: ServerChoice(
        issuer: access.server.issuer, resource: access.resource.resource.absoluteString, apiURL: resource),
      clientID: access.registration.clientID, clientSecretFile: nil, scopes: access.scopes, redirectPort: port)
  }

  /// The client that the user names together with its server; `nil` if the command is to register itself.
  ///
  /// The environment's client was named for no resource in particular, so that it needs `--issuer` too.
  private static func givenClient(for url: URL, _ context: Context) throws -> GivenClient? {
    let arguments = context.arguments
    guard let issuer = arguments["issuer"] else {
      guard !["client-id", "client-secret-file", "ask-client-secret"].contains(where: arguments.has) else {
        throw UsageError(
          "A client for --resource belongs to a server: name the server that knows it with --issuer.",
          command: context.command)
      }
      return nil
    }
    guard let clientID = arguments["client-id"] ?? context.environmentClientID else {
      throw UsageError(
        "--issuer with --resource is the server of a client that is registered there: name it with --client-id.",
        command: context.command)
    }
    return GivenClient(ClientRegistration(clientID: clientID), issuer: issuer, resources: [url])
  }

  private static func clientMetadata(port: Int) -> ClientMetadata {
    var metadata = ClientMetadata(
      clientName: "almanac", redirectURIs: [URL(string: "http://127.0.0.1:\(port)/callback")].compactMap(\.self),
      tokenEndpointAuthMethod: "none")
    metadata.grantTypes = ["authorization_code", "refresh_token"]
    metadata.responseTypes = ["code"]
    metadata.applicationType = "native"
    return metadata
  }

  /// A port of loopback that no program listens on now.
  private static func freePort() async throws -> Int? {
    let probe = try await LoopbackServer.start(on: .ipv4, port: 0) { _ in HTTPResponse(status: 404) }
    let port = probe.url.port
    await probe.stop()
    return port
  }
}
