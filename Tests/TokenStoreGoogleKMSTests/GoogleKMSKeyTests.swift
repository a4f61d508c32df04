// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import Support
import Synchronization
import TestSupport
import Testing
import TokenStore
import TokenStoreGoogleKMS
import TokenStoreSealed

@Suite struct GoogleKMSKeyTests {
  private static let name = "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/tokens"
  private static let other = "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/other"
  private static let readOnly = "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/decrypt-only"
  private static let disabled = "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/disabled"

  private typealias Change = @Sendable (inout [String: JSONValue]) -> Void

  private let clock = ManualClock()
  private let sandbox: GoogleCloudSandbox
  private let change = SharedValue<Change?>(nil)
  private let status = SharedValue<Int?>(nil)
  private let transport: StubTransport

  init() {
    let user = "user@example.com"
    var configuration = GoogleCloudSandbox.Configuration()
    configuration.users = [
      GoogleCloudSandbox.User(
        email: user, clientID: "gcloud", clientSecret: Secret("secret"), refreshToken: Secret("refresh"))
    ]
    var readOnly = GoogleCloudSandbox.CryptoKey(Self.readOnly, users: [user])
    readOnly.encrypters = []
    var disabled = GoogleCloudSandbox.CryptoKey(Self.disabled, users: [user])
    disabled.isEnabled = false
    configuration.cryptoKeys = [.init(Self.name, users: [user]), .init(Self.other, users: [user]), readOnly, disabled]
    sandbox = GoogleCloudSandbox(clock: clock, configuration: configuration)
    let google = sandbox.transport()
    transport = StubTransport { [change, status] request in
      if let status = status.value, request.url.host() == "cloudkms.googleapis.com" {
        return HTTPResponse(status: status)
      }
      var response = try await google.send(request)
      if let change = change.value, var members = try JSONValue(json: response.body).object {
        change(&members)
        response.body = JSONValue.object(members).json()
      }
      return response
    }
  }

  private func key(_ name: String = Self.name) throws -> GoogleKMSKey {
    let file = """
      {"type": "authorized_user", "client_id": "gcloud", "client_secret": "secret", "refresh_token": "refresh"}
      """
    let environment = CredentialEnvironment(transport: sandbox.transport(), clock: clock, variables: [:])
    let credential = try GoogleCredential.json(Array(file.utf8), scopes: [GoogleKMSKey.scope], in: environment)
    return try GoogleKMSKey(name, tokens: credential, transport: transport)
  }

  private func error(_ body: () async throws -> Void) async throws -> TokenStorageError {
    try await #require(throws: TokenStorageError.self) { try await body() }
  }

  @Test func wrappedKeysSealAndOpenAfterOneRequestForEach() async throws {
    let sealingKeys = [try SealingKey.generate("2027-05"), try SealingKey.generate("2026-11")]
    var text = ""
    for sealingKey in sealingKeys { text += try await key().wrap(sealingKey) + "\n" }
    #expect(sealingKeys.allSatisfy { !text.contains($0.reveal().split(separator: ":")[1]) })
    #expect(transport.requests.count == 2)

    let keys = try GoogleKMSSealingKeys(text, unwrappedBy: key())
    #expect(keys.identifiers == ["2027-05", "2026-11"])
    let base = InMemoryTokenStorage()
    let token = StoredToken(accessToken: Secret("access"))
    let old = SealedTokenStorage(wrapping: base, keys: try SealingKeyRing([sealingKeys[1]]), store: "s")
    try await old.withExclusiveAccess(to: "me") { try await $0.write(token) }
    let storage = SealedTokenStorage(wrapping: base, keys: keys, store: "s")
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 { group.addTask { try await storage.token(for: "me") } }
      for try await read in group { #expect(read == token) }
    }
    #expect(try await storage.reseal().resealed == 1)
    let new = SealedTokenStorage(wrapping: base, keys: try SealingKeyRing([sealingKeys[0]]), store: "s")
    #expect(try await new.token(for: "me") == token)
    #expect(transport.requests.count == 4)
    #expect(transport.requests.allSatisfy { $0.isRepeatable && $0.method == .post })
    #expect(transport.requests.last?.url.absoluteString == "https://cloudkms.googleapis.com/v1/\(Self.name):decrypt")
  }

  @Test func wrappedKeyBelongsToItsIdentifierAndKey() async throws {
    let text = try await key().wrap(.generate("a"))
    let keys = [
      try GoogleKMSSealingKeys("b" + text.dropFirst(), unwrappedBy: key()),
      try GoogleKMSSealingKeys(text, unwrappedBy: key(Self.other)),
      try GoogleKMSSealingKeys("a:AAAA", unwrappedBy: key()),
    ]
    for keys in keys {
      let error = try await error { _ = try await keys.keyRing() }
      #expect(error.code == .invalidKeys && error.message.contains("wrap(_:)"))
    }
  }

  @Test func damageOnTheWayIsNoticed() async throws {
    let damages: [Change] = [
      { $0["ciphertext"] = "AAAA" }, { $0["ciphertextCrc32c"] = "1" }, { $0["ciphertextCrc32c"] = nil },
      { $0["verifiedPlaintextCrc32c"] = false },
      { $0["verifiedAdditionalAuthenticatedDataCrc32c"] = nil }, { $0["plaintext"] = "AAAA" },
      { $0["plaintextCrc32c"] = nil },
      { $0["ciphertext"] = nil }, { $0["plaintext"] = "?" }, { $0["plaintext"] = 1 },
    ]
    let key = try key()
    let sealingKey = try SealingKey.generate("a")
    let text = try await key.wrap(sealingKey)
    for damage in damages {
      change.value = damage
      defer { change.value = nil }
      let error = try await error {
        let changed = try await key.wrap(sealingKey)
        #expect(changed != text)
        _ = try await GoogleKMSSealingKeys(text, unwrappedBy: key).keyRing()
      }
      #expect(error.code == .unavailable)
    }
  }

  @Test(arguments: [(400, true), (401, false), (403, false), (404, false), (429, false), (503, false)])
  func refusalNamesItsRemedyAndIsNotKept(_ refusal: Int, _ isOfTheKeys: Bool) async throws {
    let keys = try GoogleKMSSealingKeys(try await key().wrap(.generate("a")), unwrappedBy: key())
    status.value = refusal
    let error = try await error { _ = try await keys.keyRing() }
    #expect(error.code == (isOfTheKeys ? .invalidKeys : .unavailable))
    #expect(error.message.contains(Self.name))
    status.value = nil
    #expect(try await keys.keyRing().identifiers == ["a"])
  }

  @Test func refusedRequestIsNoFaultOfTheStoredText() async throws {
    let disabled = try key(Self.disabled)
    let keys = try GoogleKMSSealingKeys("a:AAAA", unwrappedBy: disabled)
    for request in [{ _ = try await disabled.wrap(.generate("a")) }, { _ = try await keys.keyRing() }] {
      let error = try await error(request)
      #expect(error.code == .unavailable && error.message.contains("Enable the key's version"))
    }
    status.value = 400
    let error = try await error { _ = try await key().wrap(.generate("a")) }
    #expect(error.code == .unavailable && !error.message.contains("wrap(_:)"))
  }

  @Test func returnedRequestIsNotShown() async throws {
    let sealingKey = try SealingKey.generate("a")
    let echo = StubTransport { request in
      let sent = try JSONValue(json: request.body ?? [])["plaintext"] ?? .null
      return HTTPResponse(status: 400, body: JSONValue.object(["error": ["message": sent]]).json())
    }
    let key = try GoogleKMSKey(Self.name, tokens: StaticTokenSource(AccessToken(Secret("token"))), transport: echo)
    let error = try await error { _ = try await key.wrap(sealingKey) }
    let secret = sealingKey.reveal()
    #expect(error.message.contains("<redacted>"))
    #expect(!error.message.contains(Data(secret.utf8).base64EncodedString()) && !error.message.contains(secret))
  }

  @Test func missingPermissionIsNamed() async throws {
    for name in [Self.readOnly, Self.name + "2"] {
      let error = try await error { _ = try await key(name).wrap(.generate("a")) }
      #expect(error.code == .unavailable && error.message.contains("roles/cloudkms.cryptoKeyEncrypter"))
    }
  }

  @Test func unreachableServiceIsUnavailable() async throws {
    let file = #"{"type": "authorized_user", "client_id": "gcloud", "client_secret": "secret", "refresh_token": "r"}"#
    let environment = CredentialEnvironment(transport: sandbox.transport(), clock: clock, variables: [:])
    let credential = try GoogleCredential.json(Array(file.utf8), scopes: [GoogleKMSKey.scope], in: environment)
    // The refresh token is unknown, so there is no access token.
    let key = try GoogleKMSKey(Self.name, tokens: credential, transport: transport)
    let error = try await error { _ = try await key.wrap(.generate("a")) }
    #expect(error.code == .unavailable && transport.requests.isEmpty)
  }

  @Test(arguments: ["", "a", ":AAAA", "a:", "a:?", "a:AAAA,a:BBBB"])
  func invalidTextIsNamed(_ text: String) throws {
    let key = try key()
    let error = try #require(throws: TokenStorageError.self) { try GoogleKMSSealingKeys(text, unwrappedBy: key) }
    #expect(error.code == .invalidKeys && error.message.contains("wrap(_:)"))
  }

  @Test(
    arguments: [
      "", "tokens", name + "/", name + "/cryptoKeyVersions/1", "projects/p/locations/l/keyRings/r/cryptoKeys/",
      "projects/../locations/l/keyRings/r/cryptoKeys/k", "projects/p/locations/l/keyRings/r/cryptoKeys/k?x",
      "projects/p/locations/l/keyRings/r/keys/k",
    ])
  func invalidNameIsNamed(_ name: String) throws {
    let error = try #require(throws: TokenStorageError.self) { try key(name) }
    #expect(error.code == .invalidKeys && error.message.contains("projects/P/"))
  }

  /// The vectors of RFC 3720, appendix B.4.
  @Test(
    arguments: [
      (Array(repeating: 0, count: 32), 0x8A91_36AA), (Array(repeating: 255, count: 32), 0x62A8_AB43),
      (Array(0..<32), 0x46DD_794E), ((0..<32).reversed(), 0x113F_DB5C),
    ] as [([UInt8], UInt32)])
  func checksumIsThatOfTheStandard(_ bytes: [UInt8], _ sum: UInt32) {
    #expect(CRC32C.checksum(bytes) == sum)
  }
}

/// A value that a test changes while a transport reads it.
private final class SharedValue<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
