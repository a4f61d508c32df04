// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Files that a test makes up.
struct FixedFiles: CredentialFiles {
  var contents: [String: String] = [:]
  /// Files that are there and cannot be read.
  var locked: Set<String> = []

  func content(of path: String) async throws -> [UInt8]? {
    guard !locked.contains(path) else {
      throw GoogleCredentialError(.unreadable, "The file \(path) cannot be read.", file: path)
    }
    return contents[path].map { Array($0.utf8) }
  }
}

/// A cloud with one account that has a key, one that is only impersonated, a user and a service.
struct Cloud {
  static let account = "robot@sandbox-project.iam.gserviceaccount.com"
  static let target = "target@sandbox-project.iam.gserviceaccount.com"
  static let targetNumber = "103456789012345678901"
  static let service = "https://reports-abc.a.run.app"
  static let scope: Scope = "https://www.googleapis.com/auth/calendar.readonly"
  static let tokenURL = "https://oauth2.googleapis.com/token"

  /// Making a key takes a while: one for all tests.
  private static let sharedKey = Task { try await SigningKey.generate(.rs256, bits: 2048) }

  let key: SigningKey
  let clock = ManualClock()
  let sandbox: GoogleCloudSandbox
  /// The transport of the sandbox, which keeps the requests.
  let transport: StubTransport

  init(_ change: (inout GoogleCloudSandbox.Configuration) -> Void = { _ in }) async throws {
    key = try await Self.sharedKey.value
    var published = key.publicJWK
    published.keyID = "key-1"
    var robot = GoogleCloudSandbox.ServiceAccount(email: Self.account, keys: JWKSet([published]))
    robot.delegators = ["ada@example.com"]
    var target = GoogleCloudSandbox.ServiceAccount(email: Self.target)
    target.uniqueID = Self.targetNumber
    target.tokenCreators = [Self.account, "user@example.com"]
    var configuration = GoogleCloudSandbox.Configuration(serviceAccounts: [robot, target])
    configuration.users = [
      GoogleCloudSandbox.User(
        email: "user@example.com", clientID: "gcloud", clientSecret: Secret("gcloud-secret"),
        refreshToken: Secret("refresh-1"))
    ]
    configuration.services = [Self.service]
    configuration.idTokenAlgorithm = .es256
    change(&configuration)
    let sandbox = GoogleCloudSandbox(clock: clock, configuration: configuration)
    self.sandbox = sandbox
    let hosts = sandbox.transport()
    transport = StubTransport { try await hosts.send($0) }
  }

  /// The content of the account's key file, with some members changed; `nil` removes one.
  func keyFile(_ changes: [String: JSONValue?] = [:]) throws -> String {
    var members: [String: JSONValue] = [
      "type": "service_account", "project_id": "sandbox-project", "private_key_id": "key-1",
      "private_key": .string(try key.revealPEM()), "client_email": .string(Self.account), "client_id": "1",
      "token_uri": .string(Self.tokenURL), "universe_domain": "googleapis.com",
    ]
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  static func userFile(_ changes: [String: JSONValue?] = [:]) -> String {
    var members: [String: JSONValue] = [
      "type": "authorized_user", "client_id": "gcloud", "client_secret": "gcloud-secret",
      "refresh_token": "refresh-1", "quota_project_id": "billing", "account": "",
    ]
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  static func workforceFile(_ changes: [String: JSONValue?] = [:]) -> String {
    userFile(
      [
        "type": "external_account_authorized_user", "token_url": "https://sts.googleapis.com/v1/oauthtoken",
        "token_info_url": "https://sts.googleapis.com/v1/introspect",
        "audience": .string(ExternalAccountTests.workforce + "/providers/provider"),
      ].merging(changes) { $1 })
  }

  func environment(
    files: [String: String] = [:], _ variables: [String: String] = [:], locked: Set<String> = []
  ) -> CredentialEnvironment {
    CredentialEnvironment(
      transport: transport, clock: clock, variables: variables.merging(["HOME": "/home/ada"]) { first, _ in first },
      files: FixedFiles(contents: files, locked: locked))
  }

  func credential(
    _ json: String, scopes: [Scope] = [Cloud.scope], subject: String? = nil
  ) throws -> GoogleCredential {
    try GoogleCredential.json(Array(json.utf8), scopes: scopes, subject: subject, in: environment())
  }
}

extension JSONValue {
  var text: String { String(decoding: json(), as: UTF8.self) }
}

extension CredentialEnvironment {
  /// An environment without files.
  init(_ transport: some Transport, clock: ManualClock = ManualClock(), _ variables: [String: String] = [:]) {
    self.init(transport: transport, clock: clock, variables: variables, files: FixedFiles())
  }
}

extension HTTPResponse {
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(text.utf8))
  }
}

extension HTTPRequest {
  /// The parameters of a form, by their names.
  var form: [String: String] {
    let fields = FormEncoding.form.decode(String(decoding: body ?? [], as: UTF8.self))
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
  }
}

/// The parts of a JWT that are not its signature, as JSON text in the order of the names.
func parts(ofJWT text: String) throws -> (header: String, claims: String) {
  let parts = text.split(separator: ".").compactMap { Base64URL.decode($0) }
  try #require(parts.count == 3)
  return (try JSONValue(json: parts[0]).text, try JSONValue(json: parts[1]).text)
}

/// The error that a piece of code throws.
func failure<Failure: Error, Value>(
  _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async throws -> Failure {
  try await #require(throws: type, sourceLocation: sourceLocation) { _ = try await body() }
}

/// Expects that a piece of code fails with a ``GoogleCredentialError``, whose message is a sentence that names `remedy`.
///
/// No message contains a secret: those of the tests contain `s3cret` or `hunter2`.
@discardableResult
func expectFailure<Value>(
  _ code: GoogleCredentialError.Code, _ remedy: String = "", member: String? = nil, file: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> GoogleCredentialError? {
  let error = await #expect(throws: GoogleCredentialError.self, sourceLocation: sourceLocation) { _ = try await body() }
  guard let error else { return nil }
  let isSound = error.message.hasSuffix(".") && (remedy.isEmpty || error.message.contains(remedy))
  let isSecret = ["s3cret", "hunter2"].contains(where: String(reflecting: error).contains)
  let isNamed = (member == nil || error.member == member) && (file == nil || error.file == file)
  #expect(
    error.code == code && isSound && isNamed && !isSecret,
    "\(error.code), \(error.member ?? "no member"), \(error.file ?? "no file"): \(error.message)",
    sourceLocation: sourceLocation)
  return error
}
