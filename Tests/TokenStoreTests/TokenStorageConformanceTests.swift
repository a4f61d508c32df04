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
}
