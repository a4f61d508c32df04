// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import TokenStore

/// One client at one server, with what the steps before have brought.
actor Session {
  private let transport = CurlTransport()
  private let clock = SkippingClock()
  private var server: ServerMetadata?
  private var client: OAuthClient?
  private var verifier: IDTokenVerifier?
  private var pending: PendingAuthorization?
  private var device: DeviceAuthorization?
  private var token: StoredToken?
  private var registered: RegisteredClient?

  /// Does a step, and returns what is printed.
  func run(_ job: Job) async throws -> any Encodable & Sendable {
    switch job.step {
    case "discover": return try await discover(job)
    case "begin", "complete", "refresh", "restore", "revoke", "profile": return try await signIn(job)
    case "beginDevice", "completeDevice", "waits": return try await signInOnDevice(job)
    case "register", "readRegistration", "updateRegistration", "deleteRegistration", "useRegistration":
      return try await register(job)
    default: return try await request(job)
    }
  }

  private func discover(_ job: Job) async throws -> any Encodable & Sendable {
    let server = try await ServerMetadata.discover(issuer: job.need(\.issuer), transport: transport)
    self.server = server
    if let client = job.client { try use(client.registration(), at: server) }
    return server
  }

  private func use(_ registration: ClientRegistration, at server: ServerMetadata) throws {
    let client = try OAuthClient(server: server, registration: registration, transport: transport, clock: clock)
    self.client = client
    verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)
  }

  private func signIn(_ job: Job) async throws -> any Encodable & Sendable {
    let client = try need(client)
    switch job.step {
    case "begin":
      guard let redirect = URL(string: "http://127.0.0.1:4711/callback") else { throw StepError("No redirect URI.") }
      let pending = try await client.beginAuthorization(scopes: job.need(\.scopes), redirectURI: redirect)
      self.pending = pending
      return ["url": pending.authorizationURL]
    case "complete":
      let pending = try need(pending)
      let token = try await client.completeAuthorization(pending, callback: job.need(\.callback))
      self.token = token
      guard pending.nonce != nil else { return TokenReport(token) }
      return TokenReport(token, try await need(verifier).claims(of: token, for: pending))
    case "refresh":
      let token = try await client.refresh(need(token))
      self.token = token
      return TokenReport(token)
    case "restore":
      // As a program has it that did not store the newest one.
      token?.refreshToken = Secret(try job.need(\.token))
      return [String: String]()
    case "revoke":
      try await client.revoke(need(token))
      return [String: String]()
    default:
      let tokens = StaticTokenSource(token: AccessToken(try need(token).accessToken))
      let api = transport.authorized(by: tokens, for: [try need(Origin(client.server.tokenEndpoint))])
      let profile = try await UserProfile.read(from: client.server, transport: api)
      return ["subject": profile.subject, "email": profile.email ?? ""]
    }
  }

  private func signInOnDevice(_ job: Job) async throws -> any Encodable & Sendable {
    let client = try need(client)
    switch job.step {
    case "beginDevice":
      let device = try await client.beginDeviceAuthorization(scopes: job.need(\.scopes))
      self.device = device
      return [
        "userCode": device.userCode, "url": device.verificationURI.absoluteString,
        "completeURL": device.verificationURIComplete?.absoluteString,
      ]
    case "completeDevice":
      let token = try await client.completeDeviceAuthorization(need(device))
      self.token = token
      try await need(verifier).verify(token, for: need(device))
      return TokenReport(token)
    default:
      return clock.takeWaits().map { $0 / .seconds(1) }
    }
  }

  private func request(_ job: Job) async throws -> any Encodable & Sendable {
    let client = try need(client)
    switch job.step {
    case "introspect":
      let hint = job.hint.map { TokenTypeHint(rawValue: $0) }
      return IntrospectionReport(try await client.introspect(Secret(job.need(\.token)), hint: hint))
    case "clientCredentials":
      return TokenReport(try await ClientCredentials(client: client, scopes: job.need(\.scopes)).accessToken())
    case "jwtBearer":
      let source = JWTBearer(
        client: client, issuer: client.registration.clientID, subject: try job.need(\.subject),
        key: try SigningKey(privateJWK: job.need(\.key)), scopes: try job.need(\.scopes))
      return TokenReport(try await source.accessToken())
    case "exchange":
      let exchange = TokenExchange(audience: [try job.need(\.audience)], scopes: try job.need(\.scopes))
      let outcome = try await client.exchange(Secret(job.need(\.token)), by: exchange)
      return TokenReport(outcome.token, type: outcome.issuedType)
    default:
      throw StepError("There is no step \(job.step).")
    }
  }

  private func register(_ job: Job) async throws -> any Encodable & Sendable {
    let registrar = ClientRegistrar(server: try need(server), transport: transport)
    switch job.step {
    case "register":
      registered = try await registrar.register(job.need(\.metadata))
    case "readRegistration":
      registered = try await registrar.read(need(registered))
    case "updateRegistration":
      registered = try await registrar.update(need(registered), to: job.need(\.metadata))
    case "deleteRegistration":
      try await registrar.delete(need(registered))
    default:
      try use(need(registered).registration(), at: need(server))
    }
    return registered
  }

  private func need<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StepError("A step before this one is missing.") }
    return value
  }
}
