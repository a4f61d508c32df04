// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

/// A sandbox with a clock that stands still, and a client that does as it is told, right or wrong.
struct SandboxHarness {
  static let base = "https://sandbox.example"
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let redirectURI = "http://127.0.0.1:49152/callback"
  static let calendarScope = "https://www.googleapis.com/auth/calendar.readonly"

  let clock: ManualClock
  let sandbox: Sandbox
  let transport: any Transport

  /// A sandbox that signs with ES256: generating an RSA key takes longer than most tests.
  init(clock: ManualClock = ManualClock(), _ change: (inout Sandbox.Configuration) throws -> Void = { _ in }) throws {
    var configuration = Sandbox.Configuration { $0.idTokenAlgorithm = .es256 }
    try change(&configuration)
    try self.init(clock: clock, sandbox: Sandbox(clock: clock, configuration: configuration))
  }

  init(clock: ManualClock, sandbox: Sandbox) throws {
    self.clock = clock
    self.sandbox = sandbox
    transport = sandbox.transport(at: try #require(URL(string: Self.base)))
  }

  /// A good authorization request, with some parameters replaced, or left out where the value is `nil`.
  func authorizationURL(_ changes: KeyValuePairs<String, String?> = [:]) throws -> URL {
    var fields: FormFields = [
      "response_type": "code", "client_id": "almanac", "redirect_uri": Self.redirectURI,
      "scope": "email \(Self.calendarScope)", "state": "xyz+ /&=é", "code_challenge": Self.challenge,
      "code_challenge_method": "S256",
    ]
    for (name, value) in changes { fields[name] = value }
    return try url(fields)
  }

  func url(_ fields: FormFields) throws -> URL {
    let query = FormEncoding.form.encode(fields)
    return try #require(URL(string: "\(Self.base)/authorize?\(query)"))
  }

  func code(_ changes: KeyValuePairs<String, String?> = [:]) throws -> String {
    try #require(parameters(of: try sandbox.approve(try authorizationURL(changes)))["code"])
  }

  func parameters(of callback: URL) -> FormFields {
    FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
  }

  func send(_ request: HTTPRequest) async throws -> Answer { Answer(response: try await transport.send(request)) }

  func get(_ path: String, token: String? = nil, fields: HTTPFields = [:]) async throws -> Answer {
    var fields = fields
    if let token { fields["Authorization"] = "Bearer \(token)" }
    return try await send(HTTPRequest(.get, try #require(URL(string: Self.base + path)), fields: fields))
  }

  func post(_ path: String, _ form: FormFields, fields: HTTPFields = [:]) async throws -> Answer {
    var fields = fields
    fields["Content-Type"] = fields["Content-Type"] ?? "application/x-www-form-urlencoded"
    return try await send(
      HTTPRequest(
        .post, try #require(URL(string: Self.base + path)), fields: fields, body: FormEncoding.form.encodedBytes(form)))
  }

  /// Redeems a code; the form with some parameters replaced or left out.
  func redeem(
    _ code: String, _ changes: KeyValuePairs<String, String?> = [:], fields: HTTPFields = [:]
  ) async throws -> Answer {
    var form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "client_id": "almanac",
      "code_verifier": Self.verifier,
    ]
    for (name, value) in changes { form[name] = value }
    return try await post("/token", form, fields: fields)
  }

  func refresh(_ token: String, _ changes: KeyValuePairs<String, String?> = [:]) async throws -> Answer {
    var form: FormFields = ["grant_type": "refresh_token", "refresh_token": token, "client_id": "almanac"]
    for (name, value) in changes { form[name] = value }
    return try await post("/token", form)
  }

  /// Signs in and returns the response of the token endpoint.
  func signIn(scope: String? = nil) async throws -> Answer {
    try await redeem(try code(scope.map { ["scope": $0] } ?? [:]))
  }

  func accessToken(scope: String = SandboxHarness.calendarScope) async throws -> String {
    try #require(try await signIn(scope: scope)["access_token"])
  }

  /// Returns the library's client of this sandbox.
  func client(_ registration: ClientRegistration, transport: (any Transport)? = nil) throws -> OAuthClient {
    let transport: any Transport = transport ?? self.transport
    return try OAuthClient(
      provider: sandbox.provider(at: URL(literal: "https://sandbox.example/")), registration: registration,
      transport: transport, clock: clock)
  }

  /// Signs in with the library's client.
  func signIn(_ client: OAuthClient, parameters: AuthorizationParameters = [:]) async throws -> StoredToken {
    let pending = try await client.beginAuthorization(
      scopes: ["email"], redirectURI: URL(literal: "http://127.0.0.1:49152/callback"), parameters: parameters)
    return try await client.completeAuthorization(
      pending, callback: try sandbox.approve(pending.authorizationURL))
  }

  /// Whether an access token opens the Calendar API.
  func isGood(_ token: String) async throws -> Bool {
    try await get("/calendar/v3/colors", token: token).response.status == 200
  }
}

/// A response, and a look into its JSON.
struct Answer {
  let response: HTTPResponse

  var status: Int { response.status }
  var text: String { String(decoding: response.body, as: UTF8.self) }

  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]) ?? [:]
  }

  subscript(name: String) -> String? { object[name] as? String }

  var items: [[String: Any]] { object["items"] as? [[String: Any]] ?? [] }

  /// The reason of an error of Google's form.
  var reason: String? {
    let error = object["error"] as? [String: Any]
    return (error?["errors"] as? [[String: Any]])?.first?["reason"] as? String
  }
}
