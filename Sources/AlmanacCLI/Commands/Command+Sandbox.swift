// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import HTTPTransport
import LoopbackHTTP
import PlatformFoundation
import TokenStore

extension Command {
  static let sandbox = Command(
    name: "sandbox",
    summary: "Serve the sandbox until interrupted, and show how to sign in to it.",
    discussion: """
      The sandbox is an authorization server and a Calendar API like Google's, and a second provider like Meetup, on this
      computer. Use it with the commands of almanac or with your own program. Its tokens are valid until the program ends. The
      calendars are kept if --data names a folder. Programs can register clients, and control the sandbox through requests
      to /sandbox/: see Documentation/Testing.md.

      Service accounts in the seed are supported. Google's token endpoint, the metadata server and the IAM Credentials API are
      below the sandbox's URL, and their tokens are valid for its calendars. Key files are removed when the program ends.
      """,
    options: [
      Option("port", "N", "the port (default: a free one)"),
      Option("data", "DIR", "a folder to keep the calendars in (default: they are lost when the program ends)"),
      Option("seed", "FILE", "users, groups, clients, service accounts and calendars, as JSON (default: samples)"),
      Option(
        "service-account-keys", "DIR", "write a key file for each service account of the seed to this folder"),
      Option("approve", "USER", "sign in this user without showing a page (default: show it in the browser)"),
      Option("quota", "N", "queries per minute per user (default: unlimited)"), .verbose,
    ]
  ) { context in
    let (sandbox, keys) = try await sandbox(for: context)
    let terminal = context.terminal
    let isVerbose = context.arguments.has("verbose")
    let server = try await LoopbackServer.start(port: try context.port("port") ?? 0) { request in
      let response = await sandbox.respond(to: request)
      if isVerbose { terminal.note("\(request) \(response.status)") }
      return response
    }
    do {
      try keys?.write(tokenURL: server.url.appending(path: "oauth2.googleapis.com/token"))
      defer { keys?.remove() }
      let guide = SandboxGuide(url: server.url, sandbox.configuration.googleCloud, keys?.paths ?? [])
      if context.isJSON { try context.writeJSON(guide) } else { guide.write(to: terminal) }
      await context.waitForInterruption()
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    terminal.note("Stopped.")
  }
}

extension Command {
  private static func sandbox(for context: Context) async throws -> (Sandbox, ServiceAccountKeys?) {
    var configuration = Sandbox.Configuration()
    configuration.isControllable = true
    configuration.registrationAccess = .open
    configuration.notificationTransport = DefaultTransport()
    if let path = context.arguments["seed"] {
      configuration.use(try Sandbox.Seed(json: try await context.content(of: path, option: "seed")))
    }
    if let user = context.arguments["approve"] {
      let users = [configuration.user] + configuration.otherUsers
      guard users.contains(where: { $0.email == user.lowercased() }) else {
        throw UsageError(
          "--approve must be the e-mail address of a user: \(users.map(\.email).joined(separator: ", ")).",
          command: context.command)
      }
      configuration.consentingUser = user.lowercased()
    }
    configuration.quota = try context.number("quota", in: 1...1_000_000).map {
      Sandbox.Quota(perUser: $0, perClient: max($0, Sandbox.Quota().perClient))
    }
    var keys: ServiceAccountKeys?
    if let folder = context.arguments["service-account-keys"] {
      keys = try await ServiceAccountKeys(folder: folder, for: &configuration, context.command)
    }
    guard let folder = context.arguments["data"] else { return (Sandbox(configuration: configuration), keys) }
    return (try Sandbox(keepingIn: URL(filePath: folder), configuration: configuration), keys)
  }
}

/// The sandbox's URLs and the commands for signing in to it.
private struct SandboxGuide: Encodable {
  let url: String
  let googleLike: [String]
  let meetupLike: [String]
  let desktopClient: ClientSecretsFile
  let googleCloud: GoogleCloud?

  /// The endpoints of Google Cloud's servers.
  struct GoogleCloud: Encodable {
    let tokenURL: String
    let credentialsURL: String
    /// The host of the metadata server, or `nil` without an attached account.
    let metadataHost: String?
    let keyFiles: [String]
  }

  init(url: URL, _ cloud: GoogleCloudSandbox.Configuration?, _ keyFiles: [String]) {
    // The base URL without its final slash is also the issuer.
    let base = String(url.absoluteString.reversed().drop { $0 == "/" }.reversed())
    let secret =
      switch Sandbox.Client.meetup.authentication {
      case .clientSecretPost(let secret): "ALMANAC_CLIENT_SECRET=\(secret.reveal()) "
      default: ""
      }
    self.url = base
    googleLike = [
      "almanac sign-in --account sandbox --client-id \(Sandbox.Client.native.id) --issuer \(base) --api-url \(base) "
        + "--scope \"\(KnownProvider.googleScopes.map(\.googleName).joined(separator: " "))\"",
      "almanac calendars --account sandbox",
    ]
    meetupLike = [
      "\(secret)almanac sign-in --account meetup --client-id \(Sandbox.Client.meetup.id) --provider meetup "
        + "--provider-url \(base)/meetup",
      "\(secret)almanac call GET 2/member/self --account meetup",
    ]
    desktopClient = ClientSecretsFile(client: .desktop, base: base)
    googleCloud = cloud.map {
      GoogleCloud(
        tokenURL: "\(base)/oauth2.googleapis.com/token", credentialsURL: "\(base)/iamcredentials.googleapis.com",
        metadataHost: $0.attachedAccount.map { _ in String(base.drop { $0 != "/" }.drop { $0 == "/" }) },
        keyFiles: keyFiles)
    }
  }

  func write(to terminal: Terminal) {
    terminal.line("The sandbox is at \(url). Stop with Ctrl-C.\n\nLike Google:")
    googleLike.forEach { terminal.line("  \($0)") }
    terminal.line("\nLike Meetup, with a client secret:")
    meetupLike.forEach { terminal.line("  \($0)") }
    terminal.line("\nThe client_secret.json of a desktop client, for programs that sign in to Google:")
    if let json = try? JSONEncoder.readable.encode(desktopClient) {
      terminal.line(TerminalText(lines: String(decoding: json, as: UTF8.self)))
    }
    guard let googleCloud else { return }
    terminal.line("\nGoogle Cloud's token endpoint and IAM Credentials API, for service accounts:")
    terminal.line("  \(googleCloud.tokenURL)\n  \(googleCloud.credentialsURL)")
    if let host = googleCloud.metadataHost { terminal.line("  GCE_METADATA_HOST=\(host)") }
    googleCloud.keyFiles.forEach { terminal.line("  GOOGLE_APPLICATION_CREDENTIALS=\($0)") }
  }
}

/// The Google Cloud console's file for a desktop client, with the sandbox's endpoints.
private struct ClientSecretsFile: Encodable {
  struct Installed: Encodable {
    let clientID: String
    let clientSecret: String?
    let authorizationURI: String
    let tokenURI: String
    let redirectURIs = ["http://localhost"]

    enum CodingKeys: String, CodingKey {
      case clientID = "client_id"
      case clientSecret = "client_secret"
      case authorizationURI = "auth_uri"
      case tokenURI = "token_uri"
      case redirectURIs = "redirect_uris"
    }
  }

  let installed: Installed

  init(client: Sandbox.Client, base: String) {
    let secret: String? = if case .clientSecret(let secret) = client.authentication { secret.reveal() } else { nil }
    installed = Installed(
      clientID: client.id, clientSecret: secret, authorizationURI: "\(base)/authorize", tokenURI: "\(base)/token")
  }
}
