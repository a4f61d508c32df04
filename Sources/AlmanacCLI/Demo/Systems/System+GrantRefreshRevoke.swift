import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SystemsDemo.System {
  static let grantRefreshRevoke = Self(
    name: "Spanish tutorial, part 3",
    replaces: "grant, refresh and revoke in a web view, payloads joined by hand, a token whose age is its file's"
  ) { _, claims in
    try await DemoWorld.with { world in
      try await grant(world, &claims)
      try await refresh(world, &claims)
      try await revoke(world, &claims)
      try await deny(world, &claims)
    }
  }

  private static func grant(_ world: DemoWorld, _ claims: inout Claims) async throws {
    try await world.google.authorize()
    try claims.check(
      world.count(.codeRedeemed) == 1,
      "grant: one code was exchanged, with PKCE, its answer received on a loopback port")
    let token = try await world.storage.token(for: "demo")
    try claims.check(
      token?.scopes == world.google.authorization.scopes, "every scope was understood: the payload is escaped")
    let modes = try permissions(below: world.storage.directory)
    try claims.check(
      !modes.files.isEmpty && modes.files.allSatisfy { $0 == 0o600 } && modes.folder == 0o700,
      "the token is in a file that only you can read, in a folder that only you can enter")
  }

  private static func refresh(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let folder = URL(filePath: world.storage.directory)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.appending(path: file).path())
    }
    // A second account on the same file has to read it.
    let reader = try world.account(DemoWorld.browser(), name: "demo")
    _ = try await reader.calendar.calendarList.list()
    try claims.check(world.count(.tokenRefreshed) == 0, "a file of 1970 does not make the token old")
    world.clock.advance(by: .seconds(3600))
    _ = try await world.google.calendar.calendarList.list()
    try claims.check(world.count(.tokenRefreshed) == 1, "refresh: an hour later by the clock it is refreshed, once")
  }

  private static func revoke(_ world: DemoWorld, _ claims: inout Claims) async throws {
    try await world.google.revoke()
    let isGone = try await world.storage.token(for: "demo") == nil
    try claims.check(
      world.count(.tokenRevoked) == 1 && isGone, "revoke: the server ended the access, the token is removed")
  }

  private static func deny(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let redirect = Mutex<URL?>(nil)
    let google = try world.account(
      DemoWorld.browser(denies: true) { url in
        let query = FormEncoding.form.decode(url.query(percentEncoded: true) ?? "")
        redirect.withLock { $0 = query["redirect_uri"].flatMap { URL(string: $0) } }
      })
    try await claims.check("a person who denies is told apart from a fault") {
      try await google.authorize()
    } with: { (error: OAuthError) in
      error.code == .accessDenied
    }
    let isEmpty = try await world.storage.accounts().isEmpty
    try claims.check(isEmpty, "and nothing is stored")
    guard let address = redirect.withLock({ $0 }) else { throw DemoFailure("the sign-in has a redirect address") }
    try await claims.check("and the port that waited for the answer is closed") {
      _ = try await DefaultTransport().send(HTTPRequest(.get, address))
    } with: { (error: TransportError) in
      error.code == .unreachable
    }
  }

  private static func permissions(below folder: String) throws -> (folder: Int?, files: [Int?]) {
    let mode = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    return (try mode(folder), try files.map { try mode("\(folder)/\($0)") })
  }
}
