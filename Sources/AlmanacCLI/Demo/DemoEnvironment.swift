// SPDX-License-Identifier: Apache-2.0

package import Almanac
package import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import LoopbackHTTP
package import OAuthCore
import OAuthUserAgents
import PlatformFoundation
import Synchronization
import Timekeeping
package import TokenStore

/// The environment of the demonstration: the sandbox on loopback, an adjustable clock, and an account with tokens in a temporary
/// folder.
package struct DemoEnvironment: Sendable {
  let clock: ShiftedClock
  package let sandbox: Sandbox
  let server: LoopbackServer
  package let google: GoogleAccount
  package let storage: FileTokenStorage
  let http: any Transport
  let exchanges: ExchangeLog

  /// Runs `body` in a new environment, and removes the environment afterwards, even if `body` throws.
  package static func with(
    configuration: Sandbox.Configuration = Sandbox.Configuration(), scopes: [Scope] = KnownProvider.googleScopes,
    userAgent: (any UserAgent)? = browser(), _ body: (DemoEnvironment) async throws -> Void
  ) async throws {
    let clock = ShiftedClock()
    let sandbox = Sandbox(clock: clock, configuration: configuration)
    let server = try await sandbox.serve()
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-demo-\(UUID().uuidString)")
    do {
      let exchanges = ExchangeLog()
      let http: any Transport = DefaultTransport().logging(to: exchanges.add).retrying()
      let storage = FileTokenStorage(directory: folder)
      let google = try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: scopes, account: "demo", storage: storage, userAgent: userAgent,
        options: .init(
          services: GoogleServices(
            provider: Provider(
              name: "the sandbox", server: try await .discover(issuer: server.url.absoluteString, transport: http)),
            apiURL: server.url),
          transport: http, clock: clock))
      try await body(
        DemoEnvironment(
          clock: clock, sandbox: sandbox, server: server, google: google, storage: storage, http: http,
          exchanges: exchanges))
    } catch {
      await server.stop()
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    await server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

extension DemoEnvironment {
  /// Returns a browser with a simulated user who decides immediately, over HTTP.
  ///
  /// - Parameters:
  ///   - denies: Whether the user denies the request.
  ///   - note: Called with the URL shown by the browser.
  static func browser(denies: Bool = false, note: @escaping @Sendable (URL) -> Void = { _ in }) -> LoopbackUserAgent {
    LoopbackUserAgent { link in
      let url = try await ConsentVisitor.follow(link)
      note(url)
      let callback = try await ConsentVisitor.decide(url, denies: denies)
      Task { try await DefaultTransport().send(HTTPRequest(.get, callback)) }
    }
  }

  /// Returns another account at the same server.
  func account(
    _ userAgent: (any UserAgent)?, account: String = "another", scopes: [Scope]? = nil
  ) throws -> GoogleAccount {
    try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: scopes ?? google.oauthAccount.scopes, account: account,
      storage: storage, userAgent: userAgent, options: .init(services: google.services, transport: http, clock: clock))
  }

  /// Returns the number of entries of a kind in the server's log.
  func count(_ kind: Sandbox.LogEntry.Kind) -> Int { sandbox.log.count { $0.kind == kind } }
}

/// The latest exchanges, at most 500, without secrets.
final class ExchangeLog: Sendable {
  private let records = Mutex<[ExchangeRecord]>([])

  @Sendable func add(_ record: ExchangeRecord) {
    records.withLock { records in
      records.append(record)
      if records.count > 500 { records.removeFirst(100) }
    }
  }

  var all: [ExchangeRecord] { records.withLock { $0 } }
}
