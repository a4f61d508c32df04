// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthResources
import PlatformFoundation
import Synchronization

extension KnownClient {
  /// Creates a client from a registration, or returns `nil` if it cannot be used.
  fileprivate init?(_ kept: KeptRegistration) {
    guard let client = try? kept.client.registration(), let resource = URL(string: kept.resource) else { return nil }
    self.init(client, issuer: kept.issuer, resources: [resource])
  }
}

/// The settings for a resource: its authorization server and the command's client there.
struct FoundResource: Sendable {
  let settings: Settings
  /// The metadata of the authorization server, which were checked for the resource.
  let server: ServerMetadata
  /// The newly registered client, or `nil` for an existing one.
  let registration: KeptRegistration?

  /// Finds the authorization server of a resource, and the command's client there.
  ///
  /// An existing registration for the same resource and server is reused. A new one is stored before this returns.
  ///
  /// - Parameters:
  ///   - resource: The URL of the resource.
  ///   - context: The command's context.
  ///   - scopes: The scopes named by the user, or empty for those named by the resource.
  ///   - stored: The settings of the account.
  ///   - listed: The account's registered clients.
  /// - Throws: ``UsageError`` if other options name a server. Also `OAuthError` and `TransportError` if discovery or
  ///   registration fails.
  init(
    _ resource: String, _ context: Context, scopes: [Scope], stored: Settings?, listed: [KeptRegistration]
  ) async throws {
    let arguments = context.arguments
    guard !["provider", "provider-url", "tenant", "api-url"].contains(where: arguments.has) else {
      throw UsageError(
        "--resource finds the server. Omit --provider, --provider-url, --tenant and --api-url.",
        command: context.command)
    }
    guard let url = URL(string: resource), Origin(url)?.isSecure == true, url.fragment() == nil else {
      throw UsageError(
        "--resource must be an https URL without a fragment. Plain http is allowed for loopback only.",
        command: context.command)
    }
    let known = stored?.server.apiURL == resource ? stored : nil
    let named = try context.port("redirect-port")
    var port = named ?? known?.redirectPort
    // Some servers compare the port too. It is therefore chosen before the registration.
    if port == nil || port == 0 { port = try await Self.freePort() }
    var identity = ClientIdentity(registering: .command(port: port ?? 0))
    let given = try Self.givenClient(for: url, context)
    if let known, let issuer = known.server.issuer {
      let kept = listed.first { $0.isClient(known.clientID, at: issuer) }
      let client = try kept?.client.registration() ?? ClientRegistration(clientID: known.clientID)
      identity.known = [KnownClient(client, issuer: issuer, resources: [url])]
    }
    // The newest client of a sign-in that was interrupted.
    identity.known += listed.reversed().compactMap(KnownClient.init)
    if let given {
      identity = ClientIdentity()
      identity.known = [given]
    }
    identity.requestsOfflineAccess = true
    let new = Mutex<KeptRegistration?>(nil)
    identity.prepareToKeep = { _, _ in
      try SettingsFile(context).reserve()
      try RegistrationFile(context).reserve()
    }
    identity.keep = { client, issuer, resource in
      let kept = KeptRegistration(
        issuer: issuer, resource: resource.absoluteString, client: client, storages: [context.storageName])
      try await context.add(kept)
      new.withLock { $0 = kept }
    }
    let access = try await Self.access(to: url, as: identity, scopes: scopes.isEmpty ? nil : scopes, context)
    registration = new.withLock { $0 }
    server = access.server
    if named == nil || named == 0, access.registration.clientID != known?.clientID {
      let reused = listed.first { $0.isClient(access.registration.clientID, at: access.server.issuer) }
      port = reused?.redirectPort ?? port
    }
    settings = Settings(
      server: ServerChoice(
        issuer: access.server.issuer, resource: access.resource.resource.absoluteString, apiURL: resource),
      clientID: access.registration.clientID, clientSecretFile: nil, scopes: access.scopes, redirectPort: port)
  }

  private static func access(
    to url: URL, as identity: ClientIdentity, scopes: [Scope]?, _ context: Context
  ) async throws -> ResourceAccess {
    do {
      return try await ResourceAccess.discover(
        url, as: identity, scopes: scopes, transport: context.transport().retrying(clock: context.clock))
    } catch let error as OAuthError where error.code == .clientRequired {
      throw OAuthError(
        .clientRequired,
        "\(error.message) Here, the options are --issuer and --client-id, with --client-key-file or --client-secret-file."
      )
    }
  }

  /// Returns the client named by the user together with its server, or `nil` if the command registers a client.
  ///
  /// The client identifier in the environment is used only with `--issuer`.
  private static func givenClient(for url: URL, _ context: Context) throws -> KnownClient? {
    let arguments = context.arguments
    guard let issuer = arguments["issuer"] else {
      guard
        !["client-id", "client-auth", "client-secret-file", "ask-client-secret", "client-key-file", "client-cert-file"]
          .contains(where: arguments.has)
      else {
        throw UsageError(
          "With --resource, a client needs its server. Name the server with --issuer.",
          command: context.command)
      }
      return nil
    }
    guard let clientID = arguments["client-id"] ?? context.environmentClientID else {
      throw UsageError(
        "With --resource, --issuer needs a client that is registered there. Name the client with --client-id.",
        command: context.command)
    }
    return KnownClient(ClientRegistration(clientID: clientID), issuer: issuer, resources: [url])
  }

  /// Returns a free port on the loopback interface.
  private static func freePort() async throws -> Int? {
    let probe = try await LoopbackServer.start(on: .ipv4, port: 0) { _ in HTTPResponse(status: 404) }
    let port = probe.url.port
    await probe.stop()
    return port
  }
}
