// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Random faults of a storage before and during the requests that spend a code, a device code or a refresh token.
///
/// A server that rotates refresh tokens accepts each credential once. No fault costs a sign-in.
@Suite struct SpendingHistoryTests {
  private enum Fault: CaseIterable { case none, unwritable, removedDuringRequest, renamedDuringRequest }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func noFaultCostsASignIn(_ seed: UInt64) async throws {
    var numbers = SeededNumbers(seed: seed)
    let disk = try Disk(isInMemory: seed.isMultiple(of: 4))
    defer { disk.remove() }
    let server = RotatingServer()
    let clock = ManualClock(skipsWaits: true)
    for step in 0..<6 {
      // As after a new start of the program: nothing is in memory.
      let account = try server.account(disk.storage, clock)
      let fault = Fault.allCases.randomElement(using: &numbers) ?? .none
      if fault == .unwritable { disk.setWritable(false) }
      server.onRequest {
        if fault == .removedDuringRequest { disk.remove() }
        if fault == .renamedDuringRequest { disk.rename() }
      }
      let call: @Sendable () async throws -> Void
      switch step == 0 ? Int.random(in: 0...1, using: &numbers) : Int.random(in: 0...3, using: &numbers) {
      case 0:
        let pending = try await server.account(InMemoryTokenStorage(), clock).beginSignIn(
          redirectURI: Fixtures.redirect)
        let code = try Fixtures.callback(pending, "code=\(server.issueCode())&state=STATE")
        call = { try await account.completeSignIn(pending, callback: code) }
      case 1:
        let device = try await server.account(InMemoryTokenStorage(), clock).beginDeviceSignIn()
        call = { try await account.completeDeviceSignIn(device) }
      default:
        clock.advance(by: .seconds(7200))
        call = { try await account.authorize() }
      }
      if fault == .unwritable {
        let sent = server.spent
        await #expect(throws: TokenStorageError.self, "\(seed).\(step)") { try await call() }
        #expect(server.spent == sent, "nothing was spent, \(seed).\(step)")
        disk.setWritable(true)
        server.onRequest {}
      }
      // The error's advice is followed: the same call again.
      try await call()
      server.onRequest {}
      clock.advance(by: .seconds(7200))
      try await server.account(disk.storage, clock).authorize()
    }
  }
}

/// A storage in memory, or in a folder that can be removed, renamed or replaced by a file.
private final class Disk: Sendable {
  let storage: any TokenStorage
  private let faulty: FaultyTokenStorage?
  private let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
  private var folder: String { "\(home)/tokens" }

  init(isInMemory: Bool) throws {
    faulty = isInMemory ? FaultyTokenStorage() : nil
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    storage = faulty ?? FileTokenStorage(directory: URL(filePath: "\(home)/tokens"))
  }

  func setWritable(_ isWritable: Bool) {
    faulty?.failWrites(with: isWritable ? nil : TokenStorageError(.unavailable, "The disk is full."))
    let files = FileManager.default
    if isWritable {
      try? files.removeItem(atPath: folder)
      try? files.moveItem(atPath: "\(home)/kept", toPath: folder)
    } else {
      try? files.moveItem(atPath: folder, toPath: "\(home)/kept")
      _ = files.createFile(atPath: folder, contents: nil)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
  func rename() { try? FileManager.default.moveItem(atPath: folder, toPath: "\(home)/\(UUID().uuidString)") }

  deinit { try? FileManager.default.removeItem(atPath: home) }
}

/// A server that accepts each code, device code and refresh token once.
private final class RotatingServer: Sendable {
  private struct State {
    var valid: Set<String> = []
    var spent = 0
    var issued = 0
    var notice: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// The number of credentials that were sent.
  var spent: Int { state.withLock(\.spent) }

  /// Sets a function that is called at each token request.
  func onRequest(_ notice: @escaping @Sendable () -> Void) { state.withLock { $0.notice = notice } }

  func issueCode() -> String { state.withLock { Self.issue(&$0) } }

  private static func issue(_ state: inout State) -> String {
    state.issued += 1
    state.valid.insert("credential-\(state.issued)")
    return "credential-\(state.issued)"
  }

  func account(_ storage: some TokenStorage, _ clock: ManualClock) throws -> OAuthAccount {
    var metadata = Fixtures.server()
    metadata.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
    let transport = StubTransport { [self] request in
      if request.url.path() == "/device" {
        return Fixtures.json(
          #"{"device_code":"\#(issueCode())","user_code":"u","verification_uri":"https://login.example/d","expires_in":6000}"#
        )
      }
      let form = request.form
      let credential = form["code"] ?? form["device_code"] ?? form["refresh_token"] ?? ""
      let (new, notice) = state.withLock { state in
        state.spent += 1
        return (state.valid.remove(credential) == nil ? nil : Self.issue(&state), state.notice)
      }
      notice()
      guard let new else { return Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400) }
      return Fixtures.json(
        #"{"access_token":"a-\#(new)","token_type":"Bearer","expires_in":3600,"refresh_token":"\#(new)"}"#)
    }
    return OAuthAccount(
      client: try OAuthClient(
        server: metadata, registration: ClientRegistration(clientID: "app"), transport: transport, clock: clock),
      storage: storage, account: "me", scopes: ["read"])
  }
}
