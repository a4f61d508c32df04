// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import PostgreSQL
import Synchronization
import TokenStore
import TokenStorePostgreSQL

/// `refresh-in-database DATABASE ACCOUNT ISSUER COUNT STOP`: COUNT tasks ask for an access token at the same time and read the
/// profile with it.
///
/// STOP is `never`, or the place at which the process stops itself until another one continues it: `before-sending` the refresh token,
/// or `after-receiving` the response. Says `ready`, `stopping PROCESS`, and at last `served N`.
@Sendable func refreshInDatabase(_ arguments: [String]) async throws {
  guard arguments.count == 5, let count = Int(arguments[3]) else {
    throw UsageError(description: "refresh-in-database DATABASE ACCOUNT ISSUER COUNT STOP")
  }
  let http = CurlTransport()
  let server = try await ServerMetadata.discover(issuer: arguments[2], transport: http)
  guard let profile = server.userinfoEndpoint, let origin = Origin(profile) else {
    throw UsageError(description: "The issuer has no userinfo endpoint.")
  }
  let transport = StoppingTransport(base: http, endpoint: server.tokenEndpoint, place: arguments[4])
  let client = try OAuthClient(
    server: server, registration: ClientRegistration(clientID: "almanac"), transport: transport)
  var rules = LeaseRules()
  rules.sendingWindow = .milliseconds(500)
  let storage = PostgreSQLTokenStorage(PostgreSQLClient(try PostgreSQLConfiguration(arguments[0])), rules: rules)
  let (begun, begin) = AsyncStream<Void>.makeStream()
  let callers = (0..<count).map { _ in
    Task {
      begin.yield()
      // As in a server, which makes a source for each of its requests.
      let tokens = RefreshingTokenSource(client: client, storage: storage, account: arguments[1])
      return try await http.authorized(by: tokens, for: [origin]).send(HTTPRequest(.get, profile)).status
    }
  }
  var beginners = begun.makeAsyncIterator()
  for _ in callers { await beginners.next() }
  say("ready")
  var served = 0
  for caller in callers where try await caller.value == 200 { served += 1 }
  try await storage.close()
  say("served \(served)")
}

/// `hold-lease DATABASE ACCOUNT`: obtains exclusive access with a lease of two seconds, says `held`, and waits for ever.
@Sendable func holdLease(_ arguments: [String]) async throws {
  guard arguments.count == 2 else { throw UsageError(description: "hold-lease DATABASE ACCOUNT") }
  var rules = LeaseRules()
  rules.leaseTime = .seconds(2)
  let storage = PostgreSQLTokenStorage(PostgreSQLClient(try PostgreSQLConfiguration(arguments[0])), rules: rules)
  try await storage.withExclusiveAccess(to: arguments[1]) { _ in
    say("held")
    try await Task.sleep(for: .seconds(86_400))
  }
}

/// A transport that stops the process once, at its token request.
private final class StoppingTransport: Transport {
  private let base: CurlTransport
  private let endpoint: URL
  private let place: String
  private let hasStopped = Atomic(false)

  init(base: CurlTransport, endpoint: URL, place: String) {
    self.base = base
    self.endpoint = endpoint
    self.place = place
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.url == endpoint { stop(at: "before-sending") }
    let response = try await base.send(request)
    if request.url == endpoint { stop(at: "after-receiving") }
    return response
  }

  private func stop(at place: String) {
    guard place == self.place, !hasStopped.exchange(true, ordering: .relaxed) else { return }
    say("stopping \(ProcessInfo.processInfo.processIdentifier)")
    raise(SIGSTOP)
  }
}
