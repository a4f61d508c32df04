// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OAuthJOSE
import TokenStore

extension Session {
  func introspect(_ job: Job) async throws -> IntrospectionReport {
    let hint = job.hint.map { TokenTypeHint(rawValue: $0) }
    return IntrospectionReport(try await need(client).introspect(Secret(job.need(\.token)), hint: hint))
  }

  func clientCredentials(_ job: Job) async throws -> TokenReport {
    TokenReport(try await ClientCredentials(client: need(client), scopes: job.need(\.scopes)).accessToken())
  }

  func jwtBearer(_ job: Job) async throws -> TokenReport {
    let client = try need(client)
    let source = JWTBearer(
      client: client, issuer: client.registration.clientID, subject: try job.need(\.subject),
      key: try SigningKey(privateJWK: job.need(\.key)), scopes: try job.need(\.scopes))
    return TokenReport(try await source.accessToken())
  }

  // MARK: Registration

  func register(_ job: Job) async throws -> RegisteredClient {
    try await keep(registrar().register(job.need(\.metadata)))
  }

  func readRegistration() async throws -> RegisteredClient {
    try await keep(registrar().read(need(registered)))
  }

  func updateRegistration(_ job: Job) async throws -> RegisteredClient {
    try await keep(registrar().update(need(registered), to: job.need(\.metadata)))
  }

  func deleteRegistration() async throws {
    try await registrar().delete(need(registered))
  }

  func useRegistration() throws {
    try use(need(registered).registration(), at: need(server))
  }

  private func registrar() throws -> ClientRegistrar {
    ClientRegistrar(server: try need(server), transport: transport)
  }

  private func keep(_ client: RegisteredClient) -> RegisteredClient {
    registered = client
    return client
  }
}
