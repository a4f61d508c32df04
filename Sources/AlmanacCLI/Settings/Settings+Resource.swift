// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthResources
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The authorization server of a resource and the command's client there, as settings.
struct FoundResource: Sendable {
  let settings: Settings
  /// The client that was registered just now; `nil` for one that was there.
  let registration: KeptRegistration?

  /// Finds the authorization server of a resource, and the command's client there.
  ///
  /// A client that was registered before for the same resource and server stays.
  ///
  /// - Parameters:
  ///   - resource: The URL of the resource.
  ///   - context: The command's context.
  ///   - stored: The settings of the account.
  ///   - kept: The client that was registered for the account.
  /// - Throws: ``UsageError`` for other options that name a server; `OAuthError` and `TransportError` if the server is not found or
  ///   does not know the command.
  init(_ resource: String, _ context: Context, stored: Settings?, kept: KeptRegistration?) async throws {
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
    var identity = ClientIdentity(registering: .command(port: port ?? 0))
    let given = try Self.givenClient(for: url, context)
    if let known, let issuer = known.server.issuer {
      let kept = kept.flatMap { $0.issuer == issuer ? $0.client : nil }
      identity.known[issuer] = try kept?.registration() ?? ClientRegistration(clientID: known.clientID)
    }
    if given != nil {
      identity = ClientIdentity()
      identity.given = given
    }
    identity.requestsOfflineAccess = true
    let new = Mutex<KeptRegistration?>(nil)
    identity.keep = { client, issuer in new.withLock { $0 = KeptRegistration(issuer: issuer, client: client) } }
    let access = try await ResourceAccess.discover(
      url, as: identity, transport: context.transport().retrying(clock: context.clock))
    registration = new.withLock { $0 }
    settings = Settings(
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
      guard
        !["client-id", "client-auth", "client-secret-file", "ask-client-secret", "client-key-file", "client-cert-file"]
          .contains(where: arguments.has)
      else {
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

  /// A port of loopback that no program listens on now.
  private static func freePort() async throws -> Int? {
    let probe = try await LoopbackServer.start(on: .ipv4, port: 0) { _ in HTTPResponse(status: 404) }
    let port = probe.url.port
    await probe.stop()
    return port
  }
}
