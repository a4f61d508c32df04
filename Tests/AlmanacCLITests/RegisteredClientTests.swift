// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import Foundation
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// The client that `almanac sign-in --resource` registers, stores and removes.
@Suite(.takesTurns) struct RegisteredClientTests {
  private let server = RegisteringServer()
  private let signIn = ["sign-in", "--resource", RegisteringServer.resource]

  private func client(of harness: CommandHarness) async throws -> String? {
    try await harness.run("status", "--json").json["clientID"]?.string
  }

  /// A console whose user denies the access.
  private func denial(in harness: CommandHarness) -> ScriptedConsole {
    ScriptedConsole { [sandbox = harness.sandbox] errors in
      let line = try #require(errors.split(separator: "\n").last { $0.hasPrefix("http") })
      return try sandbox.deny(try #require(URL(string: String(line)))).absoluteString
    }
  }

  @Test func clientThatTheServerForgotIsRegisteredAnewAtTheNextSignIn() async throws {
    let harness = server.harness()
    let first = await harness.run(signIn)
    #expect(first.status == .success, "\(first.errors)")
    #expect(try await client(of: harness) == server.clients[0])
    #expect(await harness.run(signIn).status == .success)
    #expect(server.clients.count == 1, "the server knows it")

    try await server.forget()
    let again = await harness.run("sign-in")
    #expect(again.status == .success, "\(again.errors)")
    #expect(server.clients.count == 2 && again.errors.contains("forgotten"))
    #expect(try await client(of: harness) == server.clients[1])
    #expect(try await harness.token()?.clientID == server.clients[1])
    #expect(await harness.run("call", "GET", RegisteringServer.resource).status == .success)
    #expect(server.requests.last { $0.hasPrefix("DELETE") }?.hasSuffix(server.clients[0]) == true, "\(server.requests)")
  }

  @Test func oldRegistrationStaysUntilTheNewSignInHasSucceeded() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    #expect(await harness.run(["sign-in", "--no-browser"], console: denial(in: harness)).status == .accessDenied)
    #expect(server.clients.count == 2, "once in a sign-in")
    #expect(try await client(of: harness) == server.clients[0])
    #expect(await harness.run("call", "GET", RegisteringServer.resource).status == .success, "the old token is valid")

    let again = await harness.run("sign-in")
    #expect(again.status == .success && again.errors.contains("forgotten"), "the command still knows it as its own")
    #expect(server.clients.count == 2, "the second client was kept")
    #expect(try await client(of: harness) == server.clients[1])
  }

  @Test func clientThatTheUserNamedIsNotRegisteredAnew() async throws {
    let harness = server.harness()
    let result = await harness.run(signIn + ["--client-id", "gone", "--issuer", "https://sandbox.invalid", "--json"])
    #expect(result.status != .success)
    #expect(server.clients.isEmpty)

    // One that the command has registered, and that the server has forgotten.
    #expect(await harness.run(signIn).status == .success)
    let registered = server.clients[0]
    try await server.forget()
    for _ in 1...2 { #expect(await harness.run("sign-in", "--client-id", registered).status != .success) }
    #expect(server.clients.count == 1)
  }

  /// If the command is killed, the tokens can be stored and the sign-in unfinished.
  @Test func clientOfAnUnfinishedSignInInAnotherStorageIsKept() async throws {
    let harness = server.harness(storages: [.postgresql: InMemoryTokenStorage()])
    #expect(await harness.run(signIn).status == .success)
    let denied = await harness.run(
      ["sign-in", "--no-browser", "--storage", "postgresql"], console: denial(in: harness))
    #expect(denied.status == .accessDenied)
    #expect(await harness.run(CommandHarness.signIn(scope: "openid")).status == .success)
    #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
  }

  @Test(arguments: [#""file""#, #""cloud""#]) func clientInAFileOfAnotherReleaseIsKept(_ name: String) async throws {
    let harness = server.harness(storages: [.postgresql: InMemoryTokenStorage()])
    #expect(await harness.run(signIn).status == .success)
    // The name of a later release's storage, or no list, as in an earlier release.
    let text = try String(contentsOfFile: file(of: harness), encoding: .utf8)
    let other =
      name.contains("cloud") ? text.replacing(#""file""#, with: name) : text.replacing("storages", with: "other")
    #expect(other != text)
    try other.write(toFile: file(of: harness), atomically: false, encoding: .utf8)
    #expect(await harness.run(CommandHarness.signIn(scope: "openid")).status == .success)
    #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
  }

  @Test func forgettingKeepsTheClientOfAnotherStorage() async throws {
    let harness = server.harness(storages: [.postgresql: InMemoryTokenStorage()])
    #expect(await harness.run(signIn).status == .success)
    #expect(await harness.run(signIn + ["--storage", "postgresql"]).status == .success)
    let kept = await harness.run("revoke", "--forget-client")
    #expect(kept.status == .success && kept.output.contains("other storages are kept"), "\(kept)")
    #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
    #expect(await harness.run("revoke", "--forget-client", "--storage", "postgresql").status == .success)
    #expect(server.requests.count { $0.hasPrefix("DELETE") } == 1)
    #expect(!FileManager.default.fileExists(atPath: file(of: harness)))
  }

  @Test(arguments: [false, true]) func clientIsKeptWhileAnotherStorageHasItsTokens(_ isMoved: Bool) async throws {
    let harness = server.harness(storages: [.postgresql: InMemoryTokenStorage(), .keyring: InMemoryTokenStorage()])
    #expect(await harness.run(signIn).status == .success)
    var storage = "file"
    if isMoved {
      #expect(await harness.run("tokens", "migrate", "--from", "file", "--to", "keyring").status == .success)
      storage = "keyring"
    }
    // Another client takes its place.
    let other = CommandHarness.signIn(scope: "openid") + ["--storage"]
    #expect(await harness.run(other + ["postgresql"]).status == .success)
    #expect(!server.requests.contains { $0.hasPrefix("DELETE") })
    #expect(await harness.run(other + [storage]).status == .success)
    #expect(server.requests.count { $0.hasPrefix("DELETE") } == 1)
    #expect(!FileManager.default.fileExists(atPath: file(of: harness)))
  }

  enum Fault: CaseIterable { case none, full, folderRemoved }

  /// Before a request that creates a client or spends a code, there is space for its result.
  @Test(
    .enabled("A disk can be made by root, on Linux.") { SmallDisk.canBeMade }, arguments: ["/register", "/token"],
    Fault.allCases)
  func diskThatFillsUpCostsNoClientAndNoSignIn(_ path: String, _ fault: Fault) async throws {
    let (harness, disk) = (server.harness(), try SmallDisk())
    let environment = ["XDG_CONFIG_HOME": "\(disk.path)/config", "XDG_DATA_HOME": "\(disk.path)/data"]
    disk.fill(leaving: 1 << 19)
    let early = await harness.run(signIn, environment: environment)
    #expect(early.status == .storage && early.errors.contains("Free some space"), "\(early.errors)")
    #expect(server.clients.isEmpty && harness.sandbox.log.isEmpty)
    disk.empty()
    let begin = { @Sendable (requested: String) in
      guard requested == path else { return }
      switch fault {
      case .none: break
      case .full: disk.fill()
      case .folderRemoved:
        for folder in ["config", "data"] { try? FileManager.default.removeItem(atPath: "\(disk.path)/\(folder)") }
      }
    }
    // Also with a client that the server forgets.
    for count in 1...2 {
      server.onRequest(begin)
      var signedIn = await harness.run(signIn, environment: environment)
      disk.empty()
      if path == "/register", fault == .full, signedIn.status == .storage {
        // The client is stored. Without space for what follows, no page is shown.
        server.onRequest { _ in }
        signedIn = await harness.run(signIn, environment: environment)
      }
      #expect(signedIn.status == .success, "\(signedIn.errors)")
      let call = await harness.run(["call", "GET", RegisteringServer.resource], environment: environment)
      #expect(call.status == .success, "\(call.errors)")
      #expect(server.clients.count == count)
      try await server.forget()
    }
    let files = FileManager.default.enumerator(atPath: disk.path)?.compactMap { $0 as? String } ?? []
    #expect(files.count { $0.hasSuffix(".json") } == 2 && !files.contains { $0.hasSuffix(".tmp") }, "\(files)")
  }

  @Test(arguments: ["XDG_CONFIG_HOME", "XDG_DATA_HOME"])
  func noClientIsRegisteredThatCannotBeStored(_ folder: String) async throws {
    let harness = server.harness()
    let file = "\(harness.home)/file"
    try FileManager.default.createDirectory(atPath: harness.home, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: file))
    for _ in 1...2 {
      let result = await harness.run(signIn, environment: [folder: file])
      #expect(result.status == .storage && result.errors.contains("\(file)/almanac"), "\(result.errors)")
    }
    #expect(server.clients.isEmpty && harness.sandbox.log.isEmpty)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  /// Each of them registers a client, and the last one removes the records of the others.
  @Test func signInsAtTheSameTimeLeaveOneRecord() async throws {
    for _ in 1...5 {
      let harness = server.harness()
      await withTaskGroup { group in
        for _ in 1...4 { group.addTask { [signIn] in _ = await harness.run(signIn) } }
      }
      #expect(try await harness.storage.accounts().count == 1)
      #expect(await harness.run("revoke", "--local").status == .success)
      #expect(try await harness.storage.accounts().isEmpty)
    }
  }

  @Test func refusedRevocationLeadsToLocal() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    let refused = await harness.run("revoke")
    #expect(refused.status == .refused)
    #expect(refused.errors.contains("almanac revoke --local --forget-client --account default"), "\(refused.errors)")
    #expect(try await harness.token() != nil)
    let local = await harness.run("revoke", "--local", "--forget-client")
    #expect(local.status == .success, "\(local.errors)")
    #expect(try await harness.token() == nil)
    #expect(await harness.run("sign-in").errors.contains("No client is known"))
    #expect(!FileManager.default.fileExists(atPath: file(of: harness)))
  }

  @Test func forgettingDeletesTheRegistrationAtTheServer() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    let revoked = await harness.run("revoke")
    #expect(revoked.status == .success, "\(revoked.errors)")
    #expect(try await client(of: harness) == server.clients[0], "the client stays without --forget-client")
    let forgotten = await harness.run("revoke", "--forget-client")
    #expect(forgotten.status == .success && forgotten.errors.isEmpty, "\(forgotten.errors)")
    await #expect(throws: URLError.self) { try await server.forget() }
  }

  /// The two spellings of an issuer without a path name one server, whichever file has which.
  @Test(arguments: ["/.local/share/almanac/clients/default.json", "/almanac/default.json"])
  func clientBelongsToBothSpellingsOfItsIssuer(_ file: String) async throws {
    let server = RegisteringServer(methods: ["client_secret_basic"])
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    let url = URL(filePath: harness.home + file)
    let text = try String(contentsOf: url, encoding: .utf8)
    let other = text.replacing(
      #""issuer" : "https://sandbox.invalid""#, with: #""issuer" : "https://sandbox.invalid/""#)
    try #require(other != text)
    for command in [
      signIn, ["sign-in"], ["revoke", "--forget-client"],
    ] {
      try Data(other.utf8).write(to: url)
      let result = await harness.run(command)
      #expect(
        result.status == .success && !result.errors.contains("could not be deleted"), "\(command) \(result.errors)")
    }
    #expect(server.clients.count == 1)
    await #expect(throws: URLError.self, "the server has deleted it") { try await server.forget() }
  }

  /// A pipe in place of a file is refused, and not waited for.
  @Test(arguments: ["/.local/share/almanac/clients/default.json", "/almanac/default.json"])
  func fileThatIsAPipeIsRefused(_ file: String) async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try FileManager.default.removeItem(atPath: harness.home + file)
    let result = unsafe mkfifo(harness.home + file, 0o600)
    try #require(result == 0)
    #expect(await harness.run("sign-in").status == .storage)
  }

  /// Another user could have read the client's secrets, or replaced the client.
  @Test(arguments: ["open to others", "a link"]) func fileThatIsNotSafeIsRefused(_ fault: String) async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    let path = file(of: harness)
    if fault == "a link" {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".old")
    } else {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }
    let count = server.requests.count
    for command in ["token", "sign-in", "revoke --forget-client"] {
      let result = await harness.run(command.split(separator: " ").map(String.init) + ["--json"])
      #expect(result.status == .storage && result.error?["code"] == "insecure", "\(command): \(result.errors)")
    }
    #expect(server.requests.count == count)
  }

  /// Only the server that registered a client may receive a request to manage it.
  @Test(arguments: ["http://127.0.0.1:631/jobs/1", "https://10.0.0.1/x", "https://other.invalid/register/1"])
  func forgettingSendsNothingToAnotherServer(_ url: String) async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    let text = try String(contentsOfFile: file(of: harness), encoding: .utf8)
    var kept = try #require(JSONValue(json: Array(text.utf8)).array?.first?.object)
    var client = try #require(kept["client"]?.object)
    client["registration_client_uri"] = .string(url)
    kept["client"] = .object(client)
    try Data(JSONValue.array([.object(kept)]).json()).write(to: URL(filePath: file(of: harness)))
    let forgotten = await harness.run("revoke", "--forget-client")
    #expect(forgotten.status == .success && forgotten.errors.contains("registration_client_uri"), "\(forgotten.errors)")
    #expect(!server.requests.contains { $0.contains(url) || $0.hasPrefix("DELETE") })
  }

  @Test func serverThatAcceptsKeysAloneRegistersNothing() async throws {
    let server = RegisteringServer(methods: ["private_key_jwt"])
    let result = await server.harness().run(signIn)
    #expect(result.status != .success && server.clients.isEmpty)
    #expect(
      result.errors.contains("private_key_jwt") && result.errors.contains("--client-key-file"), "\(result.errors)")
  }

  // MARK: - What is checked is what is used

  /// A sign-in reads each document once, so a server cannot respond otherwise after the checks.
  @Test func signInReadsEachDocumentOnce() async throws {
    let harness = server.harness()
    var known = 0
    for forgets in [false, true] {
      if forgets { try await server.forget() }
      #expect(await harness.run(signIn).status == .success)
      let documents = server.requests.dropFirst(known).filter { $0.contains("/.well-known/") }
      #expect(!documents.isEmpty && Set(documents).count == documents.count, "\(documents)")
      known = server.requests.count
    }
  }

  /// A server that responds otherwise after the sign-in gets no request, and neither does a host that it names.
  @Test(
    arguments: [
      "token_endpoint", "authorization_endpoint", "revocation_endpoint", "registration_endpoint", "userinfo_endpoint",
      "jwks_uri", "device_authorization_endpoint", "introspection_endpoint", "end_session_endpoint",
    ].map { ($0, "http://127.0.0.1:1/x" as JSONValue) } + [
      ("code_challenge_methods_supported", ["plain"]), ("protected_resources", ["https://other.invalid/"]),
      ("issuer", "https://other.invalid"),
    ])
  func changedMetadataAreCheckedByEachCommand(_ member: String, _ value: JSONValue) async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try await harness.storage.expireTokens()
    server.change(member, to: value)
    let known = server.requests.count
    for command in [
      ["sign-in"], signIn, ["sign-in", "--if-needed"], ["sign-in", "--device"], ["token"], ["whoami"], ["calendars"],
      ["call", "GET", RegisteringServer.resource], ["revoke"], ["revoke", "--forget-client"],
    ] {
      let result = await harness.run(command)
      #expect(result.status != .success, "\(command)")
    }
    let sent = Set(server.requests.dropFirst(known))
    #expect(
      sent.allSatisfy {
        $0.hasPrefix("GET https://sandbox.invalid/.well-known/") || $0.contains(" https://api.invalid/")
      }, "\(sent)")
    #expect(try await harness.token() != nil)
  }

  // MARK: - A flood of scopes

  @Test func scopesDoNotHideTheAPIAndTheServer() async throws {
    let scopes = (0..<20_000).map { "scope-\($0)" }
    let flood = RegisteringServer(scopes: scopes)
    let refused = await flood.harness().run(signIn)
    #expect(refused.status != .success && flood.clients.isEmpty)
    #expect(
      refused.errors.utf8.count < 1_000 && refused.errors.contains("20000 elements"), "\(refused.errors.prefix(1_000))"
    )

    let many = await RegisteringServer(scopes: Array(scopes.prefix(500))).harness().run(signIn)
    let rows = many.errors.split(separator: "\n").prefix(4)
    #expect(rows[1].hasPrefix("  Scopes: scope-0 ") && rows[1].hasSuffix(" scope-39 and 460 more"))
    #expect(rows[2...] == ["  API: https://api.invalid/mcp", "  Server: https://sandbox.invalid"])
  }

  private func file(of harness: CommandHarness) -> String {
    harness.home + "/.local/share/almanac/clients/default.json"
  }

  @Test(arguments: ["client_secret_basic", "client_secret_post", "client_secret_jwt"])
  func registrationFollowsTheServersListAndKeepsTheSecret(_ method: String) async throws {
    let server = RegisteringServer(methods: [method, "private_key_jwt"])
    let harness = server.harness()
    let result = await harness.run(signIn)
    #expect(result.status == .success, "\(result.errors)")
    #expect(server.authentications == [method])
    try await harness.storage.expireTokens()
    let token = await harness.run("token")
    #expect(token.status == .success, "a refresh needs the secret: \(token.errors)")
    let attributes = try FileManager.default.attributesOfItem(atPath: file(of: harness))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let settings = try String(contentsOfFile: harness.home + "/almanac/default.json", encoding: .utf8)
    #expect(!settings.contains("client_secret\""))
  }
}
