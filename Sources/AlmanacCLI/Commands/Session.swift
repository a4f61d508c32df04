// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import HTTPTransport
import OAuthCore
import OAuthResources
import OpenIDConnect
import PlatformFoundation
import Timekeeping
import TokenStore

/// The account of a command, from its options, the environment and the stored settings.
struct Session {
  /// The account at the chosen provider.
  let account: OAuthAccount
  let settings: Settings
  /// The client registered by the command for the account, or `nil` for a client named by the user.
  let registered: KeptRegistration?
  /// Whether the client was registered in this session.
  let isNewlyRegistered: Bool
  /// The account's registered clients before this session.
  private let former: [KeptRegistration]
  /// Verifies the ID tokens of the account.
  let verifier: IDTokenVerifier
  /// The transport of the Calendar API, without retries.
  private let apiTransport: any Transport
  private let clock: any WallClock
  private let knownAPI: URL?
  private let command: Command

  /// The Calendar API.
  var calendar: CalendarClient {
    get throws {
      // The client retries, because it determines whether a repetition is safe.
      CalendarClient(transport: transport(over: apiTransport), baseURL: try apiURL.calendarRoot, clock: clock)
    }
  }

  /// Returns a transport that adds the account's token to requests for the API, the profile's endpoint and `others` only.
  ///
  /// - Parameters:
  ///   - others: Further origins to send the token to.
  ///   - base: The transport for the requests. Defaults to a transport with retries.
  func transport(including others: Set<Origin> = [], over base: (any Transport)? = nil) -> AuthorizedTransport {
    let known = [knownAPI, account.client.server.userinfoEndpoint].compactMap { $0.flatMap { Origin($0) } }
    return account.transport(for: others.union(known), over: base)
  }

  /// Returns the transport for `almanac call`.
  ///
  /// If a resource found by its URL requires more access, the transport signs in again.
  func transport(forCallIncluding others: Set<Origin>) -> any Transport {
    let transport = transport(including: others)
    return settings.server.resource == nil
      ? transport : StepUpTransport(wrapping: transport, account: account, limit: 2)
  }

  /// The root URL of the APIs.
  var apiURL: URL {
    get throws {
      guard let knownAPI else {
        throw UsageError(
          "The URL of the issuer's API is unknown. Name the API's root with --api-url.", command: command)
      }
      return knownAPI
    }
  }

  static let serverOptions: [Option] =
    Option.client + ServerChoice.options + [.account, .storage, .verbose]

  /// - Parameters:
  ///   - context: The command's context.
  ///   - scopes: The scopes named at a sign-in, or `nil` for any other command.
  ///   - replacement: The replacement for a client forgotten by the server, with the server.
  /// - Throws: ``UsageError`` if no client is known, `OAuthError` if discovery fails, or ``SettingsError``.
  init(_ context: Context, scopes: [String]? = nil, replacement: Replacement? = nil) async throws {
    let arguments = context.arguments
    var stored = try SettingsFile(context).read()
    former = try replacement?.former ?? RegistrationFile(context).read()
    var kept = former
    var isNew = replacement?.isNew == true
    // The session uses the checked metadata, and does not request it again.
    var checked = replacement?.server
    if let replacement {
      stored = replacement.settings
      kept.append(replacement.client)
    } else if let resource = arguments["resource"] {
      let found = try await FoundResource(
        resource, context, scopes: (scopes ?? []).map { Scope($0) }, stored: stored, listed: former)
      stored = found.settings
      checked = found.server
      if let registration = found.registration {
        kept.append(registration)
        isNew = true
      }
    }
    let server = ServerChoice(arguments, stored: stored?.server, isSignIn: scopes != nil)
    // The stored client is not valid at another server.
    if let known = stored, !server.isSame(as: known.server) { stored = nil }
    // The server of a resource has its own client: a registered one, or the one that the user named with --issuer.
    let environmentID = server.resource == nil ? context.environmentClientID : nil
    guard
      let clientID = arguments["client-id"] ?? environmentID ?? replacement?.client.clientID ?? stored?.clientID
    else {
      let message =
        "No client is known for account \"\(context.account)\".\(await context.hint) Register one with the provider (for Google, a desktop client in the Cloud console), "
        + "then run `almanac sign-in --client-id ID\(context.sameAccount)`. To try without an account, run `almanac demo`."
      guard scopes == nil else { throw UsageError(message, command: context.command) }
      throw OAuthError(.signInRequired, message)
    }
    guard !clientID.allSatisfy(\.isWhitespace) else {
      throw UsageError("--client-id must not be empty.", command: context.command)
    }
    // This check comes before the first request.
    if scopes == nil, try await context.record(of: clientID).stored == nil {
      throw OAuthError(.signInRequired, "\(await context.notSignedIn) Run `almanac sign-in\(context.sameAccount)`.")
    }
    var chosen = try Self.settings(server, clientID: clientID, stored, context)
    let certificate = try await context.clientCertificate(chosen)
    let base = try context.transport(showing: certificate)
    let http: any Transport = base.retrying(clock: context.clock)
    var known = try await server.resolved(over: http, as: checked)
    let asked = scopes.map { known.scopes(named: $0, stored: stored?.scopes) }
    let before = try await context.record(of: stored?.clientID ?? clientID).stored
    let requested = Self.scopes(asked, named: scopes, at: known, before: before, context)
    // OpenID Connect Core § 11: without prompt=consent, the server ignores offline_access.
    let needsConsent =
      server.issuer != nil && requested?.contains("openid") == true && requested?.contains("offline_access") == true
    if let prompt = arguments["prompt"] ?? (needsConsent ? "consent" : nil) {
      known.provider.authorizationParameters["prompt"] = prompt
    }
    knownAPI = known.apiURL
    command = context.command
    guard certificate == nil || known.provider.server.acceptsCertificates else {
      throw UsageError(
        "The token endpoint is not https, so it cannot receive a client certificate. Choose another --client-auth.",
        command: context.command)
    }
    if let requested { chosen.scopes = requested }
    let issuer = known.provider.server.issuer
    if chosen.server.issuer != nil { chosen.server.issuer = issuer }
    settings = chosen
    let isOwn = settings.clientAuthentication == nil && !arguments.has("client-key-file")
    registered = isOwn ? kept.last { $0.isClient(clientID, at: issuer) } : nil
    isNewlyRegistered = isNew && registered != nil
    let registration =
      if let registered { try registered.client.registration() } else { try await context.registration(settings) }
    let client = try OAuthClient(
      provider: known.provider, registration: registration, transport: http, clock: context.clock)
    if scopes != nil {
      // If the disk is full, the sign-in fails before the page opens.
      try SettingsFile(context).reserve()
      try RegistrationFile(context).reserve()
      if let registered, !registered.storages.contains(context.storageName) {
        // If the command is killed after the sign-in, the client is not deleted for want of a storage.
        try await context.noteClients(of: [registered.record(of: context.account)], in: context.storageName)
      }
    }
    let isNamed = registered == nil
    let userAgent = context.userAgent(port: settings.redirectPort, explainsErrorPages: isNamed, scopes: settings.scopes)
    verifier = IDTokenVerifier(client: client, transport: http, clock: context.clock)
    account = OAuthAccount(
      client: client, storage: context.storage,
      account: RecordName(account: context.account, clientID: clientID).description, scopes: settings.scopes,
      parameters: server.parameters,
      userAgent: isNewlyRegistered
        ? userAgent : CheckingUserAgent(base: userAgent, client: client, isRegistered: !isNamed),
      verifier: verifier, scopeRule: known.scopeRule, name: context.account)
    apiTransport = base
    clock = context.clock
  }

  /// Returns the settings from the options, else from the stored settings, with the stored scopes.
  private static func settings(
    _ server: ServerChoice, clientID: String, _ stored: Settings?, _ context: Context
  ) throws -> Settings {
    let arguments = context.arguments
    // The stored authentication belongs to the stored client only.
    let own = stored?.clientID == clientID ? stored : nil
    let selfSigned = ClientMethod.selfSignedTLSClientAuth.rawValue
    var certificateMethod: String?
    if arguments.has("client-cert-file") {
      // A new certificate keeps the stored certificate method.
      certificateMethod = own?.clientAuthentication == selfSigned ? selfSigned : ClientMethod.tlsClientAuth.rawValue
    }
    let method = arguments["client-auth"] ?? certificateMethod ?? own?.clientAuthentication
    return Settings(
      server: server, clientID: clientID,
      clientSecretFile: arguments["client-secret-file"].flatMap(lasting) ?? own?.clientSecretFile,
      scopes: stored?.scopes ?? [], redirectPort: try context.port("redirect-port") ?? stored?.redirectPort,
      clientAuthentication: method,
      clientKeyFile: arguments["client-key-file"].flatMap(lasting) ?? own?.clientKeyFile,
      clientKeyID: arguments["client-key-id"] ?? own?.clientKeyID,
      clientCertificateFile: arguments["client-cert-file"].flatMap(lasting) ?? own?.clientCertificateFile)
  }

  /// Returns the file's absolute path, or `nil` for a pipe of the shell, which exists for this command only.
  private static func lasting(_ file: String) -> String? {
    let path = URL(filePath: file).absoluteURL.path
    return path.hasPrefix("/dev/") || path.hasPrefix("/proc/") ? nil : path
  }

  /// Returns the scopes of a sign-in, or `nil` for any other command.
  ///
  /// Without `--scope`, and with `--if-needed`, a sign-in repeats all scopes requested before, including those required
  /// by a resource or denied by the user. If the record has no requested scopes, the granted ones are used.
  private static func scopes(
    _ asked: [Scope]?, named: [String]?, at known: KnownProvider, before stored: StoredToken?, _ context: Context
  ) -> [Scope]? {
    guard let asked, named?.isEmpty == true || context.arguments.has("if-needed"),
      let stored, let issuer = stored.issuer, ServerMetadata.isSameIssuer(issuer, known.provider.server.issuer)
    else { return asked }
    // A server can grant a scope under another name.
    return asked.appending(stored.requestedScopes ?? known.scopeRule.uncovered(stored.scopes, by: asked))
  }
}

extension URL {
  /// The root of the APIs for the Calendar API, whose paths begin with `calendar/v3/`.
  ///
  /// The URL of a resource can be the Calendar API's.
  fileprivate var calendarRoot: URL {
    let path = "calendar/v3/"
    guard self.path(percentEncoded: true).hasSuffix("/" + path) else { return self }
    return URL(string: String(absoluteString.dropLast(path.utf8.count))) ?? self
  }
}

extension ServerMetadata {
  /// Whether the token endpoint is https and can receive a client certificate.
  fileprivate var acceptsCertificates: Bool {
    (mtlsEndpointAliases?["token_endpoint"] ?? tokenEndpoint).scheme == "https"
  }
}

extension Session {
  /// A client in place of another one, with the metadata of its server.
  struct Replacement {
    let client: KeptRegistration
    let isNew: Bool
    /// The account's registered clients before the sign-in.
    let former: [KeptRegistration]
    let settings: Settings
    let server: ServerMetadata
  }

  /// Whether an error means that the server has forgotten the client registered by the command.
  func isClientForgotten(_ error: any Error) -> Bool {
    registered != nil && !isNewlyRegistered && (error as? OAuthError)?.refusesClient == true
  }

  /// Returns a session with a client in place of the one forgotten by the server.
  ///
  /// The replacement is the newest registered client for the same server and resource not yet tried, else a new client.
  func replacingClient(_ context: Context, scopes: [String], tried: Set<String>) async throws -> Session {
    let server = account.client.server
    let next = former.last {
      !tried.contains($0.clientID) && ServerMetadata.isSameIssuer($0.issuer, server.issuer)
        && $0.resource == settings.server.resource
    }
    var chosen = settings
    if let next, context.arguments["redirect-port"] == nil {
      chosen.redirectPort = next.redirectPort ?? settings.redirectPort
    }
    if !context.isJSON {
      let forgotten = "The server has forgotten the client that was registered for this account."
      context.terminal.note("\(forgotten) \(next == nil ? "Registering another" : "Using the next one") …")
    }
    let client = if let next { next } else { try await newClient(context, at: server) }
    return try await Session(
      context, scopes: scopes,
      replacement: Replacement(
        client: client, isNew: next == nil, former: former, settings: chosen, server: server))
  }

  private func newClient(_ context: Context, at server: ServerMetadata) async throws -> KeptRegistration {
    var metadata = ClientMetadata.command(port: settings.redirectPort ?? 0)
    metadata.scopes = settings.scopes.isEmpty ? nil : settings.scopes
    let registrar = ClientRegistrar(server: server, transport: account.client.transport)
    try RegistrationFile(context).reserve()
    let client = try await registrar.register(try metadata.authenticating(at: server))
    let kept = KeptRegistration(
      issuer: server.issuer, resource: settings.server.resource ?? server.issuer, client: client,
      storages: [context.storageName])
    try await context.add(kept)
    return kept
  }

  /// Stores the settings of a successful sign-in, which name its client.
  ///
  /// The method then removes the tokens of the other clients registered by the command from this storage, and deletes
  /// each of these clients without another storage. It keeps the tokens of a client named by the user, because the
  /// user's programs may share them.
  ///
  /// Concurrent sign-ins to one account store one after the other. The last one removes the records of all others, even
  /// of those begun later. A sign-in fails if another one has removed its record.
  ///
  /// - Throws: ``SettingsError`` or `TokenStorageError`.
  func keep(_ context: Context) async throws {
    let replaced = try await context.withExclusiveSettings { try await store(context) }
    // The sign-in is complete: a server that is down, or has forgotten the client, does not matter.
    let server = account.client.server
    for client in replaced {
      let isHere = ServerMetadata.isSameIssuer(client.issuer, server.issuer)
      _ = try? await context.deleteAtServer(client, isHere ? server : nil)
    }
  }

  /// Stores the registration in steps.
  ///
  /// If the process is killed between two steps, the next sign-in completes them. See ``RegistrationFile``.
  ///
  /// - Returns: The clients no longer listed.
  private func store(_ context: Context) async throws -> [KeptRegistration] {
    guard try await context.record(of: settings.clientID).stored != nil else {
      throw OAuthError(
        .signInRequired,
        "Another command has replaced, removed or moved the tokens of this sign-in for account \"\(context.account)\". Run `almanac status --account \(context.account.shellWord)\(context.storageOption)`. If `almanac tokens migrate` has moved them, name their new storage with --storage."
      )
    }
    let file = try RegistrationFile(context)
    let before = try file.read()
    var listed = before
    if let registered {
      // Another sign-in can have removed it.
      if !listed.contains(where: registered.isSame) { listed.append(registered) }
      for index in listed.indices
      where listed[index].isSame(as: registered) && !listed[index].storages.contains(context.storageName) {
        listed[index].storages.append(context.storageName)
      }
    }
    if listed != before { try file.write(listed) }
    try SettingsFile(context).write(settings)
    for other in listed where other.clientID != settings.clientID {
      try await context.record(of: other.clientID).remove()
    }
    let rest = listed.compactMap { kept -> KeptRegistration? in
      // A client that another sign-in has added since can still get tokens.
      if registered?.isSame(as: kept) == true || !former.contains(where: kept.isSame) { return kept }
      return kept.without(context.storageName)
    }
    if rest != listed { try file.write(rest) }
    return listed.filter { !rest.contains(where: $0.isSame) }
  }
}
