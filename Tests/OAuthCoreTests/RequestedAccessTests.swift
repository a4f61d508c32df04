// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import Timekeeping
import TokenStore

/// Resource indicators and rich authorization requests.
@Suite struct RequestedAccessTests {
  private let clock = ManualClock()
  private static let resources = [
    URL(literal: "https://cal.example.com/"), URL(literal: "https://contacts.example.com"),
  ]

  private struct Payment: Codable, Equatable {
    var amount: Decimal
    var currency: String
    var creditors: [String]
  }

  // MARK: - Resource indicators (RFC 8707)

  @Test func resourcesAreInTheRequestForTheCodeAndInThatForTheTokens() async throws {
    let transport = StubTransport { _ in Fixtures.json(#"{"access_token":"a","refresh_token":"r","expires_in":60}"#) }
    let client = try Fixtures.client(transport, clock: clock)
    var parameters: AuthorizationParameters = [:]
    parameters.resources = Self.resources
    let pending = try await client.begin(["read"], parameters: parameters)
    let expected = ["https://cal.example.com/", "https://contacts.example.com"]
    #expect(pending.query.values(for: "resource") == expected)
    let kept = try JSONDecoder().decode(PendingAuthorization.self, from: JSONEncoder().encode(pending))
    #expect(kept == pending)
    let token = try await client.completeAuthorization(
      kept, callback: try Fixtures.callback(pending, "code=c&state=STATE"))
    #expect(token.resources == expected)
    let stored = try JSONDecoder().decode(StoredToken.self, from: JSONEncoder().encode(token))
    #expect(stored == token)
    #expect(try await client.refresh(stored).resources == expected)
    #expect(transport.requests.map { $0.form.values(for: "resource") } == [expected, expected])
  }

  @Test(arguments: ["/relative", "https://cal.example.com/#part"])
  func resourceIsAnAbsoluteURIWithoutAFragment(_ text: String) async throws {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [try #require(URL(string: text))]
    let client = try Fixtures.client(StubTransport(), clock: clock)
    await expectError(.invalidConfiguration) {
      try await client.begin(parameters: parameters)
    }
    let source = ClientCredentials(client: client, parameters: parameters)
    await expectError(.invalidConfiguration) { try await source.accessToken() }
  }

  @Test func resourcesOfACallReplaceThoseOfTheProvider() {
    var (first, second): (AuthorizationParameters, AuthorizationParameters) = ([:], [:])
    first.resources = [Self.resources[0]]
    #expect(first.merging(second).resources == [Self.resources[0]])
    second.resources = [Self.resources[1]]
    #expect(first.merging(second).resources == [Self.resources[1]])
    #expect("\(first)" == #"["resource"]"#)
  }

  // MARK: - Rich authorization requests (RFC 9396)

  @Test func detailsAreOneParameterOfJSON() async throws {
    let payment = Payment(amount: 123.5, currency: "EUR", creditors: ["Merchant A"])
    var parameters: AuthorizationParameters = [:]
    parameters.authorizationDetails = [
      AuthorizationDetail(type: "account"), try AuthorizationDetail(type: "payment", payment),
    ]
    let client = try Fixtures.client(StubTransport(), clock: clock)
    let pending = try await client.begin(parameters: parameters)
    #expect(
      pending.query["authorization_details"]
        == #"[{"type":"account"},{"amount":123.5,"creditors":["Merchant A"],"currency":"EUR","type":"payment"}]"#)
    #expect(try parameters.authorizationDetails[1].decode(Payment.self) == payment)
    #expect(!"\(parameters) \(parameters.authorizationDetails)".contains("EUR"))
    parameters.authorizationDetails = []
    #expect(parameters == [:])
  }

  @Test func grantedDetailsAreKeptWithTheToken() async throws {
    let granted = #"[{"type":"payment","amount":12345678901234567890.10,"note":null,"open":true,"list":[1.5]}]"#
    let transport = StubTransport(
      Fixtures.json(#"{"access_token":"a","refresh_token":"r","authorization_details":\#(granted)}"#),
      Fixtures.json(#"{"access_token":"b"}"#), Fixtures.json(#"{"access_token":"c","authorization_details":[]}"#))
    let client = try Fixtures.client(transport, clock: clock)
    let token = try await client.signIn()
    #expect(token.grantedDetails.map(\.type) == ["payment"])
    #expect(
      token.authorizationDetails
        == #"[{"amount":12345678901234567890.10,"list":[1.5],"note":null,"open":true,"type":"payment"}]"#)
    #expect(try JSONDecoder().decode(StoredToken.self, from: JSONEncoder().encode(token)) == token)
    let refreshed = try await client.refresh(token)
    #expect(refreshed.grantedDetails == token.grantedDetails)
    // An empty list counts as omitted.
    #expect(try await client.refresh(refreshed).grantedDetails == token.grantedDetails)
  }

  @Test(arguments: [#""x""#, "{}", #"[{"amount":1}]"#, "[1]"])
  func oddDetailsDoNotCostTheToken(_ details: String) async throws {
    let transport = StubTransport(Fixtures.json(#"{"access_token":"a","authorization_details":\#(details)}"#))
    #expect(try await Fixtures.client(transport, clock: clock).refresh(Fixtures.expired(clock)).grantedDetails.isEmpty)
  }
}
