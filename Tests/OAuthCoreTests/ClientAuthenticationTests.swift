// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Testing
import Timekeeping
import TokenStore

@Suite struct ClientAuthenticationTests {
  private static let secret = Secret("s +/=&%:é")
  private let clock = ManualClock()

  private func requestSent(
    _ authentication: any ClientAuthentication, methods: [String]? = nil,
    set: (inout Fixtures.Parties) -> Void = { _ in }
  ) async throws -> HTTPRequest {
    let transport = StubTransport(Fixtures.json(#"{"access_token":"a"}"#))
    let client = try Fixtures.client(transport, authentication: authentication, clock: clock) {
      $0.server.tokenEndpointAuthMethodsSupported = methods
      set(&$0)
    }
    var token = Fixtures.expired(clock)
    token.clientID = client.registration.clientID
    _ = try await client.refresh(token)
    return try #require(transport.requests.first)
  }

  private static func basic(_ credentials: String) -> String {
    "Basic " + Data(credentials.utf8).base64EncodedString()
  }

  @Test(
    arguments: [
      (.none, nil, ["client_id"]),
      (.clientSecretPost(secret), nil, ["client_id", "client_secret"]),
      (.clientSecretBasic(secret), basic("app:s%20%2B%2F%3D%26%25%3A%C3%A9"), []),
      (.clientSecretBasicUnencoded(secret), basic("app:s +/=&%:é"), []),
    ] as [(any ClientAuthentication, String?, [String])])
  func clientAuthenticatesByItsMethod(
    _ authentication: any ClientAuthentication, _ authorization: String?, _ names: [String]
  ) async throws {
    let request = try await requestSent(authentication)
    #expect(request.form.map(\.name).filter { $0.hasPrefix("client") } == names)
    #expect(request.form["client_secret"] ?? Self.secret.reveal() == Self.secret.reveal())
    #expect(request.fields["Authorization"] == authorization)
  }

  @Test(
    arguments: [
      (nil, true, "RFC 8414 § 2: Basic is the default"),
      (["client_secret_post"], false, ""),
      (["client_secret_basic"], true, ""),
      (["private_key_jwt", "client_secret_post", "none"], false, ""),
      (["client_secret_post", "client_secret_basic"], true, "the order of the list has no meaning"),
    ] as [([String]?, Bool, String)])
  func methodThatTheCallerDidNotChooseFollowsTheServersMetadata(
    _ methods: [String]?, _ isBasic: Bool, _ reason: String
  ) async throws {
    let request = try await requestSent(.clientSecret(Self.secret), methods: methods)
    #expect((request.fields["Authorization"] != nil) == isBasic, "\(reason)")
    #expect((request.form["client_secret"] == nil) == isBasic, "\(reason)")
  }

  @Test func methodThatTheCallerChoseIsUsedWhateverTheServerLists() async throws {
    let request = try await requestSent(.clientSecretPost(Self.secret), methods: ["client_secret_basic"])
    #expect(request.form["client_secret"] == Self.secret.reveal())
  }

  @Test(arguments: [["private_key_jwt"], ["none"], []])
  func serverWithoutAMethodForASecretIsATypedError(_ methods: [String]) async {
    await expectError(.invalidConfiguration) { try await requestSent(.clientSecret(Self.secret), methods: methods) }
  }

  /// A colon ends the identifier, RFC 7617 § 2.
  @Test func identifierIsEncodedInBasicCredentials() async throws {
    let request = try await requestSent(.clientSecretBasic(Secret("c:d"))) { $0.registration.clientID = "a:b" }
    #expect(request.fields["Authorization"] == Self.basic("a%3Ab:c%3Ad"))
  }

  @Test(arguments: [(true, "app:s%26t"), (false, "app:s&t")])
  func basicCredentialsAreEncodedAsTheProviderSays(_ isEncoded: Bool, _ credentials: String) async throws {
    let request = try await requestSent(.clientSecret(Secret("s&t"))) {
      $0.provider.quirks.formEncodesBasicCredentials = isEncoded
    }
    #expect(request.fields["Authorization"] == Self.basic(credentials))
  }

  @Test func methodOfACallersOwnCompletesTheRequest() async throws {
    struct Attested: ClientAuthentication {
      func authenticate(_ request: inout TokenRequest) async throws {
        request.parameters["client_id"] = request.clientID
        request.fields["OAuth-Client-Attestation"] =
          "\(request.provider.server.issuer) \(request.endpoint.path()) \(request.time.secondsSince1970)"
      }
    }
    let request = try await requestSent(Attested())
    #expect(
      request.fields["OAuth-Client-Attestation"]
        == "https://login.example /token \(clock.now.secondsSince1970)")
    #expect(request.form["client_id"] == "app")
  }
}
