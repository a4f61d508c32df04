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
import TokenStoreSealed

/// Faults of every storage before and during each request that spends what can be spent once.
///
/// The server rotates refresh tokens and accepts each credential once. No fault costs a sign-in: before the request, nothing is spent,
/// and the same call succeeds once the fault has ended; during the request, the response is stored nevertheless. The faults of a disk are
/// those of a small file system, which only root can make.
@Suite struct SpendingHistoryTests {
  enum Call: CaseIterable, Sendable { case code, deviceCode, refresh, exchange }

  /// Each fault, at each call of each storage; those of a disk are in the next test.
  @Test(arguments: Fault.allCases, Call.allCases) func faultCostsNoSignIn(_ fault: Fault, _ call: Call) async throws {
    try await make(call, during: fault, in: fault.isOfDisk ? [.memory, .keychain] : Place.Kind.allCases)
  }

  @Test(
    .enabled("A disk can be made by root, on Linux.") { SmallDisk.canBeMade },
    arguments: Fault.allCases.filter(\.isOfDisk), Call.allCases)
  func faultOfADiskCostsNoSignIn(_ fault: Fault, _ call: Call) async throws {
    try await make(call, during: fault, in: [.file, .sealedFile])
  }

  private func make(_ call: Call, during fault: Fault, in kinds: [Place.Kind]) async throws {
    for kind in kinds {
      let user = try User(of: Place(kind))
      if call == .refresh { try await user.make(.code, during: .none, "\(kind)") }
      try await user.make(call, during: fault, "\(kind)")
    }
  }

  /// `ALMANAC_SPENDING_SEEDS` is the number of histories of each storage; it defaults to 20.
  private static let seeds = ProcessInfo.processInfo.environment["ALMANAC_SPENDING_SEEDS"].flatMap(UInt64.init) ?? 20

  @Test(arguments: Place.Kind.allCases, 1...seeds)
  func noHistoryOfFaultsCostsASignIn(_ kind: Place.Kind, _ seed: UInt64) async throws {
    var numbers = SeededNumbers(seed: seed)
    let user = try User(of: Place(kind))
    for step in 0..<5 {
      let call = (step == 0 ? [.code, .deviceCode] : Call.allCases).randomElement(using: &numbers) ?? .code
      // The user's record is in the same folder as that of an exchange.
      let faults = Fault.allCases.filter { call != .exchange || !$0.removesRecords }
      let fault = faults.randomElement(using: &numbers) ?? .none
      try await user.make(call, during: fault, "\(seed).\(step)")
    }
  }

  #if os(Linux)
    /// The limits of a process, in one of its own.
    @Test(.takesTurns) func limitOfTheProcessCostsNoSignIn() async {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        for kind in [Place.Kind.file, .sealedFile] {
          for call in Call.allCases {
            let user = try User(of: Place(kind))
            try await user.make(.code, during: .none, "\(kind)")
            try await user.make(call, during: .fileSize, "\(kind)")
            for spare in 0...4 {
              let attempt = try await user.attempt(call)
              let sent = user.server.spent
              let result = await ScarceDescriptors.leave(spare) { _ in
                true
              } _: {
                await Task { try await attempt() }.result
              }
              if case .failure = result {
                #expect(user.server.spent == sent, "\(kind), \(call), \(spare)")
                try await attempt()
              }
              try await user.check(call)
            }
          }
        }
      }
    }
  #endif
}

/// A user whose program starts anew for each call: nothing is in memory.
private final class User: Sendable {
  let server = RotatingServer()
  private let place: Place
  private let clock = ManualClock(skipsWaits: true)

  init(of place: Place) { self.place = place }

  /// Returns the call, whose credential is unused.
  func attempt(_ call: SpendingHistoryTests.Call) async throws -> @Sendable () async throws -> Void {
    let account = try server.account(place.storage, clock)
    let other = try server.account(InMemoryTokenStorage(), clock)
    switch call {
    case .code:
      let pending = try await other.beginSignIn(redirectURI: Fixtures.redirect)
      let callback = try Fixtures.callback(pending, "code=\(server.issueCode())&state=STATE")
      return { try await account.completeSignIn(pending, callback: callback) }
    case .deviceCode:
      let device = try await other.beginDeviceSignIn()
      return { try await account.completeDeviceSignIn(device) }
    case .refresh:
      clock.advance(by: .seconds(7200))
      return { try await account.authorize() }
    case .exchange:
      let tokens = exchange(Secret(server.issueCode()), account.client)
      return { _ = try await tokens.accessToken() }
    }
  }

  private func exchange(_ subject: Secret, _ client: OAuthClient) -> CachingTokenSource {
    TokenExchange().tokens(for: client) { subject }
      .cached(in: place.storage, account: "exchange", clock: clock)
  }

  /// Makes a call around a fault, follows the error's advice, and checks what is stored.
  func make(_ call: SpendingHistoryTests.Call, during fault: Fault, _ comment: String) async throws {
    let attempt = try await attempt(call)
    let sent = server.spent
    if fault.isBefore {
      if place.begin(fault) {
        await #expect(throws: TokenStorageError.self, "\(comment), \(call), \(fault)") { try await attempt() }
        #expect(server.spent == sent, "nothing is spent: \(comment), \(call), \(fault)")
      }
      place.end(fault)
    } else {
      server.onRequest { [place] in _ = place.begin(fault) }
    }
    try await attempt()
    #expect(server.spent == sent + 1, "\(comment), \(call), \(fault)")
    server.onRequest {}
    if !fault.isBefore { place.end(fault) }
    try await check(call)
  }

  /// Checks that the result of a call is stored.
  func check(_ call: SpendingHistoryTests.Call) async throws {
    let account = try server.account(place.storage, clock)
    if call == .exchange {
      let sent = server.spent
      _ = try await exchange(Secret("unknown"), account.client).accessToken()
      #expect(server.spent == sent)
      try await place.storage.withExclusiveAccess(to: "exchange") { try await $0.write(nil) }
    } else {
      clock.advance(by: .seconds(7200))
      try await account.authorize()
    }
  }
}

/// A fault of a storage.
enum Fault: CaseIterable, Sendable {
  case none
  /// Before the call: no space for the largest record, no writing, no folder or keychain.
  case full, readOnly, unusable, fileSize
  /// During the request: the rest of the space is taken, the folder is removed or renamed.
  case fullDuringRequest, removedDuringRequest, renamedDuringRequest

  /// Without the limit of a process.
  static let allCases: [Fault] = [
    .none, .full, .readOnly, .unusable, .fullDuringRequest, .removedDuringRequest, .renamedDuringRequest,
  ]

  var removesRecords: Bool { [.removedDuringRequest, .renamedDuringRequest].contains(self) }

  var isOfDisk: Bool { [.full, .readOnly, .fullDuringRequest].contains(self) }

  var isBefore: Bool { [.full, .readOnly, .unusable, .fileSize].contains(self) }
}

/// A storage and its faults.
final class Place: Sendable {
  enum Kind: CaseIterable, Sendable { case memory, keychain, file, sealedFile }

  let storage: any TokenStorage
  private let kind: Kind
  private let faulty = FaultyTokenStorage()
  private let keychain = StubKeychain()
  private let home: String
  /// The disk of the folder, if one can be made.
  ///
  /// Without it, no fault of a disk begins.
  private let disk: SmallDisk?

  init(_ kind: Kind) throws {
    self.kind = kind
    disk = SmallDisk.canBeMade && [.file, .sealedFile].contains(kind) ? try SmallDisk() : nil
    home = disk?.path ?? FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
    if disk == nil { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }
    let files = FileTokenStorage(directory: URL(filePath: "\(home)/tokens"))
    switch kind {
    case .memory: storage = faulty
    case .keychain: storage = LockedTokenStorage(items: keychain, locksIn: "\(home)/tokens")
    case .file: storage = files
    case .sealedFile:
      storage = SealedTokenStorage(wrapping: files, keys: try SealingKeyRing([.generate("2026-11")]), store: "tests")
    }
  }

  deinit { if disk == nil { try? FileManager.default.removeItem(atPath: home) } }

  /// Begins a fault.
  ///
  /// - Returns: Whether the storage can have it.
  func begin(_ fault: Fault) -> Bool {
    switch (kind, fault) {
    case (.memory, _):
      faulty.failWrites(with: fault.isBefore ? TokenStorageError(.unavailable, "The disk is full.") : nil)
    case (.keychain, .full): keychain.limit(to: 1 << 19)
    case (.keychain, .fullDuringRequest): keychain.limit(to: 0)
    case (.keychain, .readOnly): keychain.isReadOnly = true
    case (.keychain, _): keychain.isLocked = fault.isBefore
    default: return beginOnDisk(fault)
    }
    return true
  }

  private func beginOnDisk(_ fault: Fault) -> Bool {
    let files = FileManager.default
    let tokens = "\(home)/tokens"
    switch fault {
    case .full, .fullDuringRequest: disk?.fill(leaving: fault == .full ? 1 << 19 : 0)
    case .readOnly: return disk?.setReadOnly(true) ?? false
    case .unusable:
      try? files.moveItem(atPath: tokens, toPath: "\(home)/kept")
      _ = files.createFile(atPath: tokens, contents: nil)
      return true
    case .removedDuringRequest: try? files.removeItem(atPath: tokens)
    case .renamedDuringRequest: try? files.moveItem(atPath: tokens, toPath: "\(home)/\(UUID().uuidString)")
    case .fileSize:
      limitFileSize(to: 1 << 19)
      return true
    case .none: break
    }
    return disk != nil
  }

  /// Ends all faults.
  func end(_ fault: Fault) {
    faulty.failWrites(with: nil)
    keychain.limit(to: nil)
    (keychain.isLocked, keychain.isReadOnly) = (false, false)
    disk?.setReadOnly(false)
    disk?.empty()
    if fault == .fileSize { limitFileSize(to: nil) }
    if fault == .unusable, kind == .file || kind == .sealedFile {
      try? FileManager.default.removeItem(atPath: "\(home)/tokens")
      try? FileManager.default.moveItem(atPath: "\(home)/kept", toPath: "\(home)/tokens")
    }
  }

  private func limitFileSize(to size: Int?) {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    // Safe: the limit is a local.
    unsafe getrlimit(resource, &limit)
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    unsafe setrlimit(resource, &limit)
  }
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
      let credential = form["code"] ?? form["device_code"] ?? form["refresh_token"] ?? form["subject_token"] ?? ""
      let (new, notice) = state.withLock { state in
        state.spent += 1
        return (state.valid.remove(credential) == nil ? nil : Self.issue(&state), state.notice)
      }
      notice()
      guard let new else { return Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400) }
      return Fixtures.json(
        #"{"access_token":"a-\#(new)","token_type":"Bearer","expires_in":3600,"refresh_token":"\#(new)","issued_token_type":"a"}"#
      )
    }
    return OAuthAccount(
      client: try OAuthClient(
        server: metadata, registration: ClientRegistration(clientID: "app"), transport: transport, clock: clock),
      storage: storage, account: "me", scopes: ["read"])
  }
}
