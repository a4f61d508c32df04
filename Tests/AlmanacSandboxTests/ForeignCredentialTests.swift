// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing
import TokenStore

/// Every credential that the server issues, presented at every place that accepts one, by its client and by another.
@Suite struct ForeignCredentialTests {
  private static let secret = "sandbox-secret"

  /// A kind of credential, which the place of its own accepts.
  enum Kind: String, CaseIterable, Sendable {
    case code, accessToken, refreshToken, deviceCode, pushedRequest, backchannelRequest, registrationToken
    /// Credentials that no place of the table accepts.
    case idToken, userCode
  }

  /// A place that accepts credentials of a kind.
  enum Place: CaseIterable, Sendable {
    case codeGrant, refreshGrant, deviceGrant, backchannelGrant, exchange, authorization, calendarAPI, userinfo
    case registration

    var accepted: Kind {
      switch self {
      case .codeGrant: .code
      case .refreshGrant: .refreshToken
      case .deviceGrant: .deviceCode
      case .backchannelGrant: .backchannelRequest
      case .exchange, .calendarAPI, .userinfo: .accessToken
      case .authorization: .pushedRequest
      case .registration: .registrationToken
      }
    }

    /// Whether the credential alone is enough, or belongs to the client that presents it.
    var isBearer: Bool {
      switch self {
      case .calendarAPI, .userinfo, .exchange, .registration: true
      default: false
      }
    }
  }

  private let harness: SandboxHarness

  init() throws {
    let clients = ["one", "two"].map {
      Sandbox.Client(
        id: $0, name: $0, redirectURIs: [SandboxHarness.redirectURI], authentication: .clientSecret(Secret(Self.secret))
      )
    }
    var meetup = Sandbox.Client.meetup
    meetup.id = "one"
    harness = try SandboxHarness {
      $0.clients = clients
      $0.meetupClients = [meetup]
      $0.idTokenAlgorithm = .es256
      $0.registrationAccess = .open
      $0.rotatesRefreshTokens = true
    }
  }

  private func form(_ client: String, _ fields: FormFields) -> FormFields {
    var fields = fields
    fields["client_id"] = client
    fields["client_secret"] = Self.secret
    return fields
  }

  private var scope: String { "openid email \(SandboxHarness.calendarScope)" }

  /// Obtains a credential for the client `one`.
  private func credential(_ kind: Kind) async throws -> String {
    func tokens() async throws -> Answer {
      try await harness.redeem(
        try harness.code(["client_id": "one", "scope": scope]), ["client_id": "one", "client_secret": Self.secret])
    }
    let credential: String?
    switch kind {
    case .code: credential = try harness.code(["client_id": "one", "scope": scope])
    case .accessToken: credential = try await tokens()["access_token"]
    case .refreshToken: credential = try await tokens()["refresh_token"]
    case .idToken: credential = try await tokens()["id_token"]
    case .deviceCode, .userCode:
      let device = try await harness.post("/device_authorization", form("one", ["scope": "email"]))
      let userCode = try #require(device["user_code"])
      if kind == .deviceCode { try harness.sandbox.approve(userCode: userCode) }
      credential = kind == .deviceCode ? device["device_code"] : userCode
    case .pushedRequest:
      credential = try await harness.post(
        "/par",
        form(
          "one",
          [
            "response_type": "code", "redirect_uri": SandboxHarness.redirectURI, "scope": "email",
            "code_challenge": SandboxHarness.challenge, "code_challenge_method": "S256",
          ]))["request_uri"]
    case .backchannelRequest:
      credential = try await harness.post(
        "/backchannel_authentication",
        form("one", ["scope": "openid", "login_hint": harness.sandbox.configuration.user.email]))["auth_req_id"]
      try harness.sandbox.approve(try #require(harness.sandbox.backchannelRequests.last))
    case .registrationToken:
      let request = HTTPRequest(
        .post, URL(literal: "https://sandbox.example/register"), fields: ["Content-Type": "application/json"],
        body: Array(#"{"redirect_uris":["\#(SandboxHarness.redirectURI)"]}"#.utf8))
      let registered = try await harness.send(request)
      // The place is below the client's identifier.
      credential = "\(registered["client_id"] ?? "") \(registered["registration_access_token"] ?? "")"
    }
    return try #require(credential)
  }

  /// Presents a credential, and returns whether it was accepted.
  private func accepts(_ credential: String, at place: Place, from client: String = "one") async throws -> Bool {
    func grant(_ type: String, _ name: String, _ more: FormFields = [:]) async throws -> Bool {
      var fields: FormFields = ["grant_type": type, name: credential]
      for field in more { fields[field.name] = field.value }
      return try await harness.post("/token", form(client, fields))["access_token"] != nil
    }
    switch place {
    case .codeGrant:
      return try await grant(
        "authorization_code", "code",
        ["redirect_uri": SandboxHarness.redirectURI, "code_verifier": SandboxHarness.verifier])
    case .refreshGrant: return try await grant("refresh_token", "refresh_token")
    case .deviceGrant: return try await grant("urn:ietf:params:oauth:grant-type:device_code", "device_code")
    case .backchannelGrant: return try await grant("urn:openid:params:grant-type:ciba", "auth_req_id")
    case .exchange:
      return try await grant(
        "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token",
        ["subject_token_type": "urn:ietf:params:oauth:token-type:access_token"])
    case .authorization:
      let url = try harness.url(["client_id": client, "request_uri": credential])
      return (try? harness.sandbox.approve(url)) != nil
    case .calendarAPI: return try await harness.get("/calendar/v3/colors", token: credential).status == 200
    case .userinfo: return try await harness.get("/userinfo", token: credential).status == 200
    case .registration:
      let parts = credential.split(separator: " ")
      let token = parts.last.map { String($0) }
      return try await harness.get("/register/\(parts.first ?? "")", token: token).status == 200
    }
  }

  @Test(arguments: Kind.allCases, Place.allCases)
  func credentialIsAcceptedAtItsOwnPlaceOnly(_ kind: Kind, _ place: Place) async throws {
    #expect(try await accepts(try await credential(kind), at: place) == (kind == place.accepted))
  }

  @Test(arguments: Place.allCases.filter { !$0.isBearer })
  func credentialOfAnotherClientIsRefusedAndStaysValid(_ place: Place) async throws {
    let credential = try await credential(place.accepted)
    #expect(try await !accepts(credential, at: place, from: "two"))
    #expect(try await accepts(credential, at: place, from: "one"))
  }

  @Test(arguments: [Kind.code, .accessToken, .refreshToken])
  func credentialOfAnotherAuthorizationServerIsRefused(_ kind: Kind) async throws {
    let credential = try await credential(kind)
    let refused: Bool
    switch kind {
    case .accessToken: refused = try await harness.get("/meetup/2/member/self", token: credential).status == 401
    default:
      refused =
        try await harness.post(
          "/meetup/oauth2/access",
          form(
            "one",
            [
              "grant_type": kind == .code ? "authorization_code" : "refresh_token", "code": credential,
              "refresh_token": credential, "redirect_uri": SandboxHarness.redirectURI,
            ]))["access_token"] == nil
    }
    #expect(refused)
    #expect(
      try await accepts(credential, at: kind == .code ? .codeGrant : kind == .accessToken ? .userinfo : .refreshGrant))
  }
}
