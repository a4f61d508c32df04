// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import Testing
import TokenStore

/// A storage that cannot store tokens is noticed before the user is asked to sign in.
@Suite struct StorageTrialTests {
  private let storage = FaultyTokenStorage()
  private let transport = StubTransport { _ in
    Fixtures.json(
      #"{"access_token":"a","device_code":"d","user_code":"u","verification_uri":"https://login.example/d","expires_in":60}"#
    )
  }

  init() { storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full.")) }

  /// An account whose page must not be shown.
  private func account() throws -> OAuthAccount {
    let client = try Fixtures.client(transport, server: Fixtures.fullServer)
    return OAuthAccount(
      client: client, storage: storage, account: "me", scopes: ["read"],
      userAgent: ScriptedUserAgent { pending in
        Issue.record("A page was shown.")
        return try Fixtures.callback(pending, "code=c&state=STATE")
      })
  }

  @Test func noPageIsShown() async throws {
    let account = try account()
    let url = URL(literal: "https://api.example/")
    let signIns: [@Sendable () async throws -> Void] = [
      { try await account.authorize() }, { try await account.signIn() },
      { try await account.authorize(adding: ["write"]) },
      { _ = try await account.beginSignIn(redirectURI: Fixtures.redirect) },
      { try await account.signInOnDevice { _ in Issue.record("A code was shown.") } },
      { _ = try await account.transport(for: url, stepUpLimit: 1).send(HTTPRequest(.get, url)) },
    ]
    for signIn in signIns {
      let error = try await #require(throws: TokenStorageError.self) { try await signIn() }
      #expect(error.message == "The disk is full.")
    }
    #expect(transport.requests.isEmpty)
    storage.failWrites(with: nil)
    #expect(try await storage.accounts().isEmpty)
  }
}
