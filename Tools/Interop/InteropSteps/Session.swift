// SPDX-License-Identifier: Apache-2.0

import HTTPTransportCurl
import OAuthCore
import OpenIDConnect
import TokenStore

/// One client at one server, with the results of the steps before.
actor Session {
  let transport = CurlTransport()
  let clock = SkippingClock()
  var server: ServerMetadata?
  var client: OAuthClient?
  var verifier: IDTokenVerifier?
  var pending: PendingAuthorization?
  var device: DeviceAuthorization?
  var token: StoredToken?
  var registered: RegisteredClient?

  /// Performs a step, and returns what is printed; `nil` if the step has no result.
  func run(_ job: Job) async throws -> (any Encodable & Sendable)? {
    switch job.step {
    case .discover: return try await discover(job)
    case .begin: return try await begin(job)
    case .complete: return try await complete(job)
    case .refresh: return try await refresh()
    case .restore: try restore(job)
    case .revoke: try await revoke()
    case .profile: return try await profile()
    case .beginDevice: return try await beginDevice(job)
    case .completeDevice: return try await completeDevice()
    case .waits: return clock.takeWaits().map { $0 / .seconds(1) }
    case .introspect: return try await introspect(job)
    case .clientCredentials: return try await clientCredentials(job)
    case .jwtBearer: return try await jwtBearer(job)
    case .register: return try await register(job)
    case .readRegistration: return try await readRegistration()
    case .updateRegistration: return try await updateRegistration(job)
    case .deleteRegistration: try await deleteRegistration()
    case .useRegistration: try useRegistration()
    }
    return nil
  }

  private func discover(_ job: Job) async throws -> ServerMetadata {
    let server = try await ServerMetadata.discover(issuer: job.need(\.issuer), transport: transport)
    self.server = server
    if let client = job.client { try use(client.registration(), at: server) }
    return server
  }

  func use(_ registration: ClientRegistration, at server: ServerMetadata) throws {
    let client = try OAuthClient(server: server, registration: registration, transport: transport, clock: clock)
    self.client = client
    verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)
  }

  /// Returns the result of a step before this one.
  func need<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StepError("A step before this one is missing.") }
    return value
  }
}
