// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import TestSupport
import Testing
import TokenStore

@Suite(.takesTurns) struct TokenStorageConformanceTests {
  @Test(arguments: TokenStorageConformance.checks)
  func inMemoryTokenStorageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    try await TokenStorageConformance { InMemoryTokenStorage() }.run(check)
  }

  @Test(arguments: TokenStorageConformance.checks)
  func fileTokenStorageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    let home = try TemporaryDirectory()
    try await TokenStorageConformance {
      FileTokenStorage(path: home.path("tokens"))
    } reopen: {
      FileTokenStorage(directory: $0.directory)
    }.run(check)
  }

  /// Two spellings of one path share no queue, so that only the system's lock keeps them apart.
  @Test(arguments: TokenStorageConformance.checks)
  func fileTokenStoragesAlsoExcludeEachOtherByTheLockFile(_ check: TokenStorageConformance.Check) async throws {
    let home = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(atPath: home.path("link"), withDestinationPath: home.path)
    // No wait ends because the machine is busy.
    try await TokenStorageConformance {
      FileTokenStorage(path: home.path("tokens"), waitLimit: .seconds(3_600))
    } reopen: { _ in
      FileTokenStorage(path: home.path("link/tokens"), waitLimit: .seconds(3_600))
    }.run(check)
  }
}
