// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import HTTPTransport
import OAuthCore
import OpenIDConnect
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The account that a command works on, made from its options, the environment and the stored settings.
struct Session {
  /// The account, at whichever provider.
  let account: OAuthAccount
  let settings: Settings
  /// Verifies the ID tokens of the account.
  let verifier: IDTokenVerifier
  /// It does not retry.
  private let apiTransport: any Transport
  private let clock: any WallClock
  private let knownAPI: URL?
  private let command: Command

  /// The Calendar API.
  var calendar: CalendarClient {
    get throws {
      // The client retries: it knows what is done already.
      CalendarClient(transport: transport(over: apiTransport), baseURL: try apiURL, clock: clock)
    }
  }

  /// Returns a transport that adds the account's token for the API, the profile's endpoint and `others`, and for no more origins.
  ///
  /// - Parameter base: The transport that sends. Defaults to one that retries.
  func transport(including others: Set<Origin> = [], over base: (any Transport)? = nil) -> AuthorizedTransport {
    let known = [knownAPI, account.client.server.userinfoEndpoint].compactMap { $0.flatMap { Origin($0) } }
    return account.transport(for: others.union(known), over: base)
  }

  /// Returns the transport for a call by the user, who is asked in the browser if a resource that was found by its URL demands more.
  func transport(forCallIncluding others: Set<Origin>) -> any Transport {
    let transport = transport(including: others)
    return settings.server.resource == nil
      ? transport : SteppingUpTransport(wrapping: transport, account: account, limit: 2)
  }

  /// The root of the APIs.
  var apiURL: URL {
    get throws {
      guard let knownAPI else {
        throw UsageError(
          "Only the issuer is known, not where its API is: name the API's root with --api-url.", command: command)
      }
      return knownAPI
    }
  }

  static let serverOptions: [Option] =
    [
      Option("client-id", "ID", "the client identifier (default: $ALMANAC_CLIENT_ID, else that of the last sign-in)"),
      Option("client-secret-file", "FILE", "a file that holds the client secret (default: $ALMANAC_CLIENT_SECRET)"),
      Option("ask-client-secret", nil, "ask for the client secret at a prompt"),
    ] + ServerChoice.options + [.account, .verbose]

  /// - Parameter scopes: The scopes that a sign-in names; `nil` for a command that is no sign-in.
  /// - Throws: ``UsageError`` if no client is known; `OAuthError` if discovery fails; ``SettingsError``.
  init(_ context: Context, scopes: [String]? = nil) async throws {
    let arguments = context.arguments
    var stored = try SettingsFile(account: context.account, environment: context.environment).read()
    if let resource = arguments["resource"] { stored = try await Settings(resource: resource, context, stored: stored) }
    let server = ServerChoice(arguments, stored: stored?.server)
    // Another server knows another client.
    if let known = stored, !server.isSame(as: known.server) { stored = nil }
    // The client of a server that a resource named is the one that was found or named with it.
    let environmentID = server.resource == nil ? context.environmentClientID : nil
    guard let clientID = arguments["client-id"] ?? environmentID ?? stored?.clientID else {
      throw UsageError(
        "No client is known for account \"\(context.account)\".\(await context.hint) Register one with the provider (for Google a desktop client in the Cloud console) and give "
          + "its identifier with \"almanac sign-in --client-id ID\", or look around with \"almanac demo\".",
        command: context.command)
    }
    guard !clientID.allSatisfy(\.isWhitespace) else {
      throw UsageError("--client-id must not be empty.", command: context.command)
    }
    // Before anything is sent.
    if scopes == nil, try await !context.isSignedIn {
      throw OAuthError(.signInRequired, "\(await context.notSignedIn) Sign in with: almanac sign-in")
    }
    let base = context.transport
    let http: any Transport = base.retrying(clock: context.clock)
    var known = try await server.resolved(over: http)
    if let prompt = arguments["prompt"] { known.provider.authorizationParameters["prompt"] = prompt }
    knownAPI = known.apiURL
    command = context.command
    settings = Settings(
      server: server, clientID: clientID,
      clientSecretFile: arguments["client-secret-file"].flatMap(Self.lasting) ?? stored?.clientSecretFile,
      scopes: scopes.map { known.scopes(named: $0, stored: stored?.scopes) } ?? stored?.scopes ?? [],
      redirectPort: try context.port("redirect-port") ?? stored?.redirectPort)
    let client = try OAuthClient(
      provider: known.provider,
      registration: ClientRegistration(clientID: clientID, secret: try await Self.secret(context, settings)),
      transport: http, clock: context.clock)
    verifier = IDTokenVerifier(client: client, transport: http, clock: context.clock)
    account = OAuthAccount(
      client: client, storage: context.storage, account: context.account, scopes: settings.scopes,
      parameters: server.parameters, userAgent: context.userAgent(port: settings.redirectPort), verifier: verifier)
    apiTransport = base
    clock = context.clock
  }

  /// The file's whole path; `nil` for a pipe of the shell's, which will not be there next time.
  private static func lasting(_ file: String) -> String? {
    let path = URL(filePath: file).absoluteURL.path
    return path.hasPrefix("/dev/") || path.hasPrefix("/proc/") ? nil : path
  }

  private static func secret(_ context: Context, _ settings: Settings) async throws -> Secret? {
    if context.arguments.has("ask-client-secret") { return try await SecretPrompt.ask("Client secret: ") }
    if let file = context.arguments["client-secret-file"] { return try await SecretSource.file(file).secret() }
    // A resource chose the server, which must not be sent the secret of another client.
    if settings.server.resource == nil, let secret = context.environment["ALMANAC_CLIENT_SECRET"], !secret.isEmpty {
      return Secret(secret)
    }
    return try await settings.clientSecretFile.map(SecretSource.file)?.secret()
  }
}
