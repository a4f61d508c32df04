// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import TokenStore

/// `share-refresh DIR ACCOUNT ISSUER COUNT CANCEL`: COUNT tasks ask for an access token at the same time and read the
/// profile with it.
///
/// Says `ready` once all have begun; CANCEL of them are cancelled then, and `cancelled N` says how many of those left
/// with `CancellationError`; at last `served N`.
@Sendable func shareRefresh(_ arguments: [String]) async throws {
  guard arguments.count == 5, let count = Int(arguments[3]), let cancelled = Int(arguments[4]) else {
    throw UsageError(description: "share-refresh DIR ACCOUNT ISSUER COUNT CANCEL")
  }
  let http = CurlTransport()
  let server = try await ServerMetadata.discover(issuer: arguments[2], transport: http)
  guard let profile = server.userinfoEndpoint, let origin = Origin(profile) else {
    throw UsageError(description: "The issuer has no userinfo endpoint.")
  }
  let client = try OAuthClient(server: server, registration: ClientRegistration(clientID: "almanac"), transport: http)
  let tokens = RefreshingTokenSource(
    client: client, storage: FileTokenStorage(path: arguments[0]), account: arguments[1])
  let api = http.authorized(by: tokens, for: [origin])

  let (begun, begin) = AsyncStream<Void>.makeStream()
  let callers = (0..<count).map { _ in
    Task {
      begin.yield()
      return try await api.send(HTTPRequest(.get, profile)).status
    }
  }
  var beginners = begun.makeAsyncIterator()
  for _ in callers { await beginners.next() }
  say("ready")
  for caller in callers.prefix(cancelled) { caller.cancel() }
  var left = 0
  for caller in callers.prefix(cancelled) {
    if case .failure(let error) = await caller.result, error is CancellationError { left += 1 }
  }
  say("cancelled \(left)")
  var served = 0
  for caller in callers.dropFirst(cancelled) where try await caller.value == 200 { served += 1 }
  say("served \(served)")
}
