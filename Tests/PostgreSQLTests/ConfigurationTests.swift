// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestSupport
import Testing

@Suite(.enabled("libpq is not installed, so this was not tested. On Debian: apt-get install libpq5") { hasLibrary() })
struct ConfigurationTests {
  @Test func descriptionsShowNoPassword() throws {
    let configuration = try PostgreSQLConfiguration("postgresql://me:hidden-word@db.example/tokens")
    #expect("\(configuration)" == "PostgreSQLConfiguration(host=db.example dbname=tokens user=me)")
    #expect(!String(reflecting: configuration).contains("hidden-word"))
    #expect(!mirroredChildren(of: configuration).contains { $0.contains("hidden-word") })
  }

  @Test(arguments: [
    "postgresql://me:hidden-word@[::1/tokens", "password hidden-word", "host=a\u{0}b",
    "postgresql://me:hidden@-word@host/tokens",
  ])
  func malformedStringIsNotShown(_ text: String) throws {
    let error = try #require(throws: PostgreSQLError.self) { try PostgreSQLConfiguration(text) }
    #expect(error.code == .invalidConfiguration)
    #expect(!"\(error)".contains("hidden-word"))
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func unverifiedServerIsRefused(_ mode: String) async throws {
    let configuration = try PostgreSQLConfiguration("host=db.example sslmode=\(mode)")
    let error = try await #require(throws: PostgreSQLError.self) {
      try await PostgreSQLClient(configuration).query("SELECT 1")
    }
    #expect(error.code == .invalidConfiguration)
  }

  @Test func portsMustMatchHosts() async throws {
    let configuration = try PostgreSQLConfiguration("host=localhost,localhost,localhost port=1,2")
    let error = try await #require(throws: PostgreSQLError.self) {
      try await PostgreSQLClient(configuration).query("SELECT 1")
    }
    #expect(error.code == .invalidConfiguration)
  }
}

private func hasLibrary() -> Bool { (try? PostgreSQLConfiguration("")) != nil }
