// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import TokenStore

/// The exact content of descriptions and dumps.
@Suite struct DescriptionTests {
  /// The labels and values of a mirror.
  private func children(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test func pendingAuthorizationSaysItsIssuerAndScopes() async throws {
    let pending = try await Fixtures.client(StubTransport()).beginAuthorization(
      scopes: ["read", "write"], redirectURI: Fixtures.redirect)
    #expect("\(pending)" == "authorization pending at https://login.example")
    #expect(children(pending) == ["issuer: https://login.example", #"scopes: ["read", "write"]"#])
    let response = AuthorizationResponse(
      pending: pending, callback: try Fixtures.callback(pending, "code=s3cret&state=STATE"))
    #expect("\(response)" == "response to authorization pending at https://login.example")
    #expect(children(response) == ["pending: authorization pending at https://login.example"])
  }

  @Test func deviceAuthorizationSaysItsIssuerAndScopes() async throws {
    let device = try await ErrorMessageTests.client(
      StubTransport(Fixtures.json(#"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/"}"#))
    ) { $0.provider.server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device") }
    .beginDeviceAuthorization(scopes: ["read"])
    #expect("\(device)" == "device authorization pending at https://login.example")
    #expect(children(device) == ["issuer: https://login.example", #"scopes: ["read"]"#])
  }

  @Test func parametersSayTheirNames() {
    var parameters: AuthorizationParameters = ["b": "1", "a": "s3cret"]
    parameters.resources = [URL(literal: "https://api.example/")]
    #expect("\(parameters)" == #"["a", "b", "resource"]"#)
    #expect(children(parameters) == [#"names: ["a", "b", "resource"]"#])
  }

  @Test func authorizationDetailSaysItsType() throws {
    let detail = try AuthorizationDetail(type: "pay\u{1B}ment", ["amount": "1"])
    #expect("\(detail)" == "authorization detail of type payment")
    #expect(children(detail) == ["type: pay\u{1B}ment"])
  }

  @Test func proofKeySaysItsAlgorithmAndThumbprint() throws {
    let key = try DPoPKey(SigningKey.generate(.es256))
    #expect("\(key)" == "DPoP key for ES256, \(key.thumbprint)")
    #expect(children(key) == ["algorithm: ES256", "thumbprint: \(key.thumbprint)"])
  }

  @Test func introspectionSaysWhetherTheTokenIsActive() async throws {
    for (isActive, text) in [(true, "active token"), (false, "inactive token")] {
      let client = try ErrorMessageTests.client(
        StubTransport(Fixtures.json(#"{"active":\#(isActive),"sub":"s3cret","scope":"read"}"#))
      ) { $0.provider.server.introspectionEndpoint = URL(literal: "https://login.example/introspect") }
      let introspection = try await client.introspect(Secret("a"))
      #expect("\(introspection)" == text)
      #expect(children(introspection) == ["isActive: \(isActive)", "scopes: \(isActive ? #"["read"]"# : "[]")"])
    }
  }

  @Test func registeredClientSaysItsIdentifier() throws {
    let client = try JSONDecoder().decode(
      RegisteredClient.self, from: Data(#"{"client_id":"a\u001bpp","client_secret":"s3cret"}"#.utf8))
    #expect("\(client)" == "registered client app")
    #expect(children(client) == ["clientID: a\u{1B}pp"])
  }

  @Test func errorSaysItsCodeAndMessage() {
    let error = OAuthError(.requestRejected, "It failed.", serverCode: "code", serverDescription: "s3cret")
    #expect("\(error)" == "It failed." && error.localizedDescription == "It failed.")
    #expect(children(error) == ["code: requestRejected", "message: It failed.", "serverCode: code"])
    #expect(children(OAuthError(.unsupported, "It is not there.")).last == "serverCode: ")
  }

  @Test(arguments: [(64, 65, 300, 301)])
  func textOfAServerIsCut(_ code: Int, _ longer: Int, _ description: Int, _ longerDescription: Int) {
    let error = OAuthError(
      .requestRejected, "", serverCode: String(repeating: "c", count: longer),
      serverDescription: String(repeating: "d", count: longerDescription))
    #expect(error.serverCode?.utf8.count == code && error.serverDescription?.utf8.count == description)
  }

  @Test("Only printable ASCII of a server's text is kept", arguments: [("\u{1F} ~\u{7F}é", " ~"), ("a\nb", "ab")])
  func controlCharactersOfAServerAreRemoved(_ text: String, _ shown: String) {
    #expect(OAuthError(.requestRejected, "", serverCode: text).serverCode == shown)
  }

  /// A client authentication that shows the request.
  private struct Showing: ClientAuthentication {
    let show: @Sendable (TokenRequest) -> Void
    func authenticate(_ request: inout TokenRequest) { show(request) }
  }

  @Test func tokenRequestSaysItsEndpointAndTheNamesOfItsParameters() async throws {
    try await confirmation { shown in
      let client = try ErrorMessageTests.client(StubTransport(Fixtures.json(#"{"access_token":"a"}"#))) {
        $0.provider.server.tokenEndpoint = URL(literal: "https://login.example/token?key=s3cret")
        $0.registration.authentication = Showing { request in
          let parameters: FormFields = ["grant_type": "x", "code": "s3cret"]
          #expect("\(request)" == "\(request.endpoint.redactedDescription) \(parameters)")
          #expect(
            children(request) == [
              "endpoint: \(request.endpoint.redactedDescription)", "fields: \(request.fields)",
              "parameters: \(parameters)",
            ])
          #expect(!"\(request) \(children(request))".contains("s3cret"))
          #expect(request.secrets == [Secret("s3cret")])
          shown()
        }
      }
      _ = try await client.requestAccessToken(["grant_type": "x", "code": "s3cret"])
    }
  }
}
