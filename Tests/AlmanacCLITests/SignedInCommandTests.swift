// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The commands that use a stored sign-in.
@Suite(.takesTurns) struct SignedInCommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  /// A server that changes a sandbox's responses.
  private func serve(
    _ sandbox: Sandbox, changing change: @escaping @Sendable (String, inout HTTPResponse) -> Void
  ) async throws -> LoopbackServer {
    try await LoopbackServer.start { request in
      var response = await sandbox.respond(to: request)
      change(request.url.path(), &response)
      return response
    }
  }

  @Test func signInIsKeptUsedAndRevoked() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let signedIn = try await almanac.signIn(to: server, sandbox, apiURL: server.url)
    #expect(signedIn.status == 0, "\(signedIn.said)")

    let profile = try await almanac.run("profile")
    #expect(profile.said.contains(sandbox.configuration.user.email))
    let calendars = try await almanac.run("calendars", "--json")
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(calendars.said.utf8)) as? [[String: Any]])
    #expect(entries.count >= 12)
    #expect(try await almanac.run("call", "GET", "calendar/v3/nonsense").status == 7)
    #expect(try await almanac.run("call", "GET", "https://evil.example/").status == 2)
    let revoked = try await almanac.run("revoke")
    #expect(revoked.status == 0)
    let after = try await almanac.run("profile", "--json")
    #expect(after.status == 3)
    #expect(after.said.contains(#""exitStatus" : 3"#))
    await server.stop()
  }

  @Test func profileThatIsRefusedWith401IsStatusThree() async throws {
    let sandbox = Sandbox()
    let server = try await serve(sandbox) { path, response in
      if path == "/userinfo" { response = HTTPResponse(status: 401) }
    }
    #expect(try await almanac.signIn(to: server, sandbox).status == 0)
    #expect(try await almanac.run("profile").status == 3)
    await server.stop()
  }

  @Test func storedClientIsNotUsedAtAnotherServer() async throws {
    let (sandbox, other) = (Sandbox(), Sandbox())
    let (server, otherServer) = (try await sandbox.serve(), try await other.serve())
    #expect(try await almanac.signIn(to: server, sandbox).status == 0)
    let result = try await almanac.run("profile", "--issuer", otherServer.url.absoluteString)
    #expect(result.status == 3)
    #expect(result.said.contains("No client is known"))
    #expect(other.requestCount(.metadata) == 0)
    await server.stop()
    await otherServer.stop()
  }
}
