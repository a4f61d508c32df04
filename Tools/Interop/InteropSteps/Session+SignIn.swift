// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OpenIDConnect
import TokenStore

extension Session {
  func begin(_ job: Job) async throws -> [String: URL] {
    guard let redirect = URL(string: "http://127.0.0.1:4711/callback") else { throw StepError("No redirect URI.") }
    let pending = try await need(client).beginAuthorization(scopes: job.need(\.scopes), redirectURI: redirect)
    self.pending = pending
    return ["url": pending.authorizationURL]
  }

  func complete(_ job: Job) async throws -> TokenReport {
    let pending = try need(pending)
    let token = try await need(client).completeAuthorization(pending, callback: job.need(\.callback))
    self.token = token
    guard pending.nonce != nil else { return TokenReport(token) }
    return TokenReport(token, try await need(verifier).claims(of: token, for: pending))
  }

  func refresh() async throws -> TokenReport {
    let token = try await need(client).refresh(need(token))
    self.token = token
    return TokenReport(token)
  }

  /// Puts an earlier refresh token back, as if the newest one had not been stored.
  func restore(_ job: Job) throws {
    token?.refreshToken = Secret(try job.need(\.token))
  }

  func revoke() async throws {
    try await need(client).revoke(need(token))
  }

  func profile() async throws -> [String: String] {
    let server = try need(client).server
    let tokens = StaticTokenSource(try need(token).accessToken)
    let api = transport.authorized(by: tokens, for: [try need(Origin(server.tokenEndpoint))])
    let profile = try await UserProfile.read(from: server, transport: api)
    return ["subject": profile.subject, "email": profile.email ?? ""]
  }

  func beginDevice(_ job: Job) async throws -> [String: String?] {
    let device = try await need(client).beginDeviceAuthorization(scopes: job.need(\.scopes))
    self.device = device
    return [
      "userCode": device.userCode, "url": device.verificationURI.absoluteString,
      "completeURL": device.verificationURIComplete?.absoluteString,
    ]
  }

  func completeDevice() async throws -> TokenReport {
    let token = try await need(client).completeDeviceAuthorization(need(device))
    self.token = token
    try await need(verifier).verify(token, for: need(device))
    return TokenReport(token)
  }
}
