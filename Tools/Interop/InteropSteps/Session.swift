// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Timekeeping
import TokenStore

/// One client at one server, with the results of the steps before.
actor Session {
  private let transport = CurlTransport()
  private let began = SystemClock().now
  /// Every wait is over at once, and counts as time that has passed.
  private let clock: ManualClock
  private var server: ServerMetadata?
  private var client: OAuthClient?
  private var verifier: IDTokenVerifier?
  private var pending: PendingAuthorization?
  private var device: DeviceAuthorization?
  private var token: StoredToken?
  private var registered: RegisteredClient?

  init() { clock = ManualClock(now: began, skipsWaits: true) }

  /// Performs a step, and returns what is printed; `nil` if the step has no result.
  func run(_ job: Job) async throws -> (any Encodable & Sendable)? {
    switch job.step {
    case .discover:
      let server = try await ServerMetadata.discover(issuer: job.need(\.issuer), transport: transport)
      self.server = server
      if let client = job.client { try use(client.registration()) }
      return server

    case .begin:
      guard let redirect = URL(string: "http://127.0.0.1:4711/callback") else { throw StepError("No redirect URI.") }
      let pending = try await need(client).beginAuthorization(scopes: job.need(\.scopes), redirectURI: redirect)
      self.pending = pending
      return ["url": pending.authorizationURL]
    case .complete:
      let pending = try need(pending)
      let token = try await need(client).completeAuthorization(pending, callback: job.need(\.callback))
      self.token = token
      return TokenReport(token, pending.nonce == nil ? nil : try await need(verifier).claims(of: token, for: pending))
    case .beginDevice:
      let device = try await need(client).beginDeviceAuthorization(scopes: job.need(\.scopes))
      self.device = device
      return [
        "userCode": device.userCode, "url": device.verificationURI.absoluteString,
        "completeURL": device.verificationURIComplete?.absoluteString,
      ]
    case .completeDevice:
      let token = try await need(client).completeDeviceAuthorization(need(device))
      self.token = token
      try await need(verifier).verify(token, for: need(device))
      return TokenReport(token)
    case .waited: return (clock.now - began) / .seconds(1)

    case .refresh:
      let token = try await need(client).refresh(need(token))
      self.token = token
      return TokenReport(token)
    // An earlier refresh token, as if the newest one had not been stored.
    case .restore: token?.refreshToken = Secret(try job.need(\.token))
    case .revoke: try await need(client).revoke(need(token))
    case .profile:
      let server = try need(server)
      let tokens = StaticTokenSource(try need(token).accessToken)
      let api = transport.authorized(by: tokens, for: [try need(Origin(server.tokenEndpoint))])
      let profile = try await UserProfile.read(from: server, transport: api)
      return ["subject": profile.subject, "email": profile.email ?? ""]
    case .introspect:
      let hint = job.hint.map { TokenTypeHint(rawValue: $0) }
      return IntrospectionReport(try await need(client).introspect(Secret(job.need(\.token)), hint: hint))

    case .clientCredentials:
      return TokenReport(try await ClientCredentials(client: need(client), scopes: job.need(\.scopes)).accessToken())
    case .jwtBearer:
      let client = try need(client)
      let source = JWTBearer(
        client: client, issuer: client.registration.clientID, subject: try job.need(\.subject),
        key: try SigningKey(privateJWK: job.need(\.key)), scopes: try job.need(\.scopes))
      return TokenReport(try await source.accessToken())

    case .register: return try await keep(registrar().register(job.need(\.metadata)))
    case .readRegistration: return try await keep(registrar().read(need(registered)))
    case .updateRegistration: return try await keep(registrar().update(need(registered), to: job.need(\.metadata)))
    case .deleteRegistration: try await registrar().delete(need(registered))
    case .useRegistration: try use(need(registered).registration())
    }
    return nil
  }

  private func use(_ registration: ClientRegistration) throws {
    let client = try OAuthClient(server: need(server), registration: registration, transport: transport, clock: clock)
    self.client = client
    verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)
  }

  private func registrar() throws -> ClientRegistrar { ClientRegistrar(server: try need(server), transport: transport) }

  private func keep(_ client: RegisteredClient) -> RegisteredClient {
    registered = client
    return client
  }

  /// Returns the result of a step before this one.
  private func need<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StepError("A step before this one is missing.") }
    return value
  }
}
