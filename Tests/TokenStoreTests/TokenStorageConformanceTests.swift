// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import Testing
import TokenStore

@Suite struct TokenStorageConformanceTests {
  @Test(arguments: TokenStorageConformance.checks)
  func inMemoryTokenStorageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    try await TokenStorageConformance { InMemoryTokenStorage() }.run(check)
  }

  @Test(arguments: TokenStorageConformance.checks)
  func fileTokenStorageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    let home = try TemporaryDirectory()
    try await TokenStorageConformance {
      FileTokenStorage(directory: home.path("tokens"))
    } reopen: {
      FileTokenStorage(directory: $0.directory)
    }.run(check)
  }

  /// Two spellings of one path share no queue, so that only the system's lock keeps them apart.
  @Test(arguments: TokenStorageConformance.checks)
  func fileTokenStoragesAlsoExcludeEachOtherByTheLockFile(_ check: TokenStorageConformance.Check) async throws {
    let home = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(atPath: home.path("link"), withDestinationPath: home.path)
    try await TokenStorageConformance {
      FileTokenStorage(directory: home.path("tokens"))
    } reopen: { _ in
      FileTokenStorage(directory: home.path("link/tokens"))
    }.run(check)
  }

  @Test(arguments: BrokenTokenStorage.Fault.allCases)
  func aBrokenPromiseIsNamed(_ fault: BrokenTokenStorage.Fault) async throws {
    let check = try #require(TokenStorageConformance.checks.first { $0.promise.hasPrefix(fault.promise) })
    let kit = TokenStorageConformance(patience: fault.hangs ? .milliseconds(300) : .seconds(60)) {
      BrokenTokenStorage(fault)
    } reopen: {
      BrokenTokenStorage(fault, records: $0.records)
    }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.promise == check.promise)
    #expect(failure.detail.hasPrefix("Still waiting") == fault.hangs)
  }

  @Test func runStopsAtThePromiseThatIsBroken() async throws {
    try await TokenStorageConformance { InMemoryTokenStorage() }.run()
    let kit = TokenStorageConformance { BrokenTokenStorage(.ignoresCase) }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run() }
    #expect(failure.promise.hasPrefix(BrokenTokenStorage.Fault.ignoresCase.promise))
    #expect("\(failure)" == "Broken promise: \(failure.promise) \(failure.detail)")
  }

  @Test func everyCheckCanFail() {
    for check in TokenStorageConformance.checks {
      #expect(BrokenTokenStorage.Fault.allCases.contains { check.promise.hasPrefix($0.promise) }, "\(check)")
    }
  }
}
