// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

@Suite struct StaticTokenSourceTests {
  private let source = StaticTokenSource(Secret("fixed"))

  @Test func returnsItsToken() async throws {
    #expect(try await source.accessToken() == AccessToken(Secret("fixed")))
    let other = AccessToken(Secret("other"))
    #expect(try await source.accessToken(replacing: other).value == Secret("fixed"))
  }

  @Test func aRejectedTokenIsNotSentAgain() async throws {
    let base = StubTransport { _ in HTTPResponse(status: 401) }
    let api = base.authorized(by: source, for: [try #require(Origin("https://api.example"))])
    let error = await #expect(throws: OAuthError.self) {
      try await api.send(HTTPRequest(.get, URL(literal: "https://api.example/")))
    }
    #expect(error?.code == .signInRequired && base.requests.count == 1)
    #expect(error?.description.contains("fixed") == false)
  }
}
