// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// Every error code of every specification becomes a typed error that says what to do.
@Suite struct SpecificationTests {
  private let clock = ManualClock(skipsWaits: true)

  private func client(_ response: HTTPResponse) throws -> OAuthClient {
    let transport = StubTransport { request in
      guard request.url.path() == "/device" else { return response }
      return Fixtures.json(
        #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/d","expires_in":60}"#)
    }
    return try Fixtures.client(transport, server: Fixtures.fullServer, clock: clock)
  }

  /// Does what the error is a response to.
  private func provoke(_ error: SpecificationError, _ response: HTTPResponse) async throws {
    let client = try client(response)
    switch error.place {
    case .authorization:
      try await client.signIn(["openid"], by: "error=\(error.serverCode)&error_description=why&state=STATE")
    case .token:
      try await client.signIn(["openid"])
    case .refresh:
      _ = try await client.refresh(Fixtures.expired(clock))
    case .service:
      _ = try await ClientCredentials(client: client).accessToken()
    case .exchange:
      _ = try await client.exchange(Secret("subject"), by: TokenExchange(audience: ["api"]))
    case .device:
      _ = try await client.completeDeviceAuthorization(client.beginDeviceAuthorization(scopes: []))
    case .revocation:
      try await client.revoke(Fixtures.expired(clock))
    case .introspection:
      _ = try await client.introspect(Secret("mF_9.B5f-4.1JqM"))
    case .pushedRequest:
      _ = try await Fixtures.client(StubTransport(response), server: client.server) {
        $0.registration.pushesAuthorizationRequests = true
      }.begin(["openid"])
    case .registration, .management:
      let registrar = ClientRegistrar(server: client.server, transport: StubTransport(response))
      guard error.place == .management else {
        _ = try await registrar.register(ClientMetadata())
        return
      }
      let registered = Fixtures.json(
        """
        {"client_id":"x","registration_access_token":"t",
         "registration_client_uri":"https://login.example/register/x"}
        """)
      let client = try await ClientRegistrar(server: client.server, transport: StubTransport(registered))
        .register(ClientMetadata())
      _ = try await registrar.update(client, to: ClientMetadata())
    case .resource:
      let demand = try #require(TokenChallenge(response))
      throw demand.error
    }
  }

  @Test(arguments: SpecificationError.all)
  func codeIsATypedErrorWithAdvice(_ expected: SpecificationError) async throws {
    var response = Fixtures.json(
      expected.serverCode.isEmpty ? "" : #"{"error":"\#(expected.serverCode)","error_description":"why"}"#,
      status: expected.status)
    if expected.place == .resource {
      response.fields["WWW-Authenticate"] = #"Bearer error="\#(expected.serverCode)", error_description="why""#
    }
    let error = try #require(
      await expectError(expected.code, expected.advice) { try await provoke(expected, response) })
    #expect(error.serverCode == (expected.serverCode.isEmpty ? nil : expected.serverCode))
    #expect(error.serverDescription == (expected.serverCode.isEmpty ? nil : "why"))
    #expect(!error.message.contains("why") && !error.message.contains(".."), "the server's words are no advice of ours")
  }

  /// RFC 6749 § 8.5: a server may have codes of its own.
  @Test func codeOfNoSpecificationIsReportedAsItIs() async throws {
    let own = SpecificationError.Place.self
    for place in [own.authorization, .token, .registration, .revocation] {
      let unknown = try #require(SpecificationError.all.first { $0.place == place })
      let response = Fixtures.json(#"{"error":"own_code"}"#, status: 400)
      let error = await expectError(.requestRejected) { try await provoke(unknown.called("own_code"), response) }
      #expect(error?.serverCode == "own_code")
      #expect(error?.message.contains("own_code") == false, "the message holds nothing that a server chose")
    }
  }
}

extension SpecificationError {
  /// Returns the same with another code.
  fileprivate func called(_ serverCode: String) -> SpecificationError {
    SpecificationError(
      specification: specification, place: place, serverCode: serverCode, status: status, code: code, advice: advice)
  }
}
