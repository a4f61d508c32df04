// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import TokenStore

/// The end of a process before one of its requests and writes.
///
/// From then on, nothing that the process does takes effect, including what it would clean up.
final class Kill: Sendable {
  private struct Killed: Error {}

  private let rest: Mutex<Int>

  /// - Parameter effects: The number of requests and writes that take effect.
  init(after effects: Int) { rest = Mutex(effects) }

  /// Whether the process was killed.
  var happened: Bool { rest.withLock { $0 < 0 } }

  fileprivate func check() throws { if happened { throw Killed() } }

  fileprivate func effect() throws {
    try rest.withLock {
      if $0 >= 0 { $0 -= 1 }
      if $0 < 0 { throw Killed() }
    }
  }

  func transport(over base: any Transport) -> any Transport {
    StubTransport { [self] in
      try effect()
      return try await base.send($0)
    }
  }

  func storage(over base: any TokenStorage) -> any TokenStorage { Storage(kill: self, base: base) }

  var files: any CommandFiles { Files(kill: self) }

  private struct Files: CommandFiles {
    let kill: Kill
    let base = SystemFiles()

    func content(of path: String) throws -> Data? {
      try kill.check()
      return try base.content(of: path)
    }

    func secretContent(of path: String) throws -> Data? {
      try kill.check()
      return try base.secretContent(of: path)
    }

    func reserve(_ path: String) throws {
      try kill.check()
      try base.reserve(path)
    }

    func replace(_ path: String, with content: Data?) throws {
      try kill.effect()
      try base.replace(path, with: content)
    }

    func release() { base.release() }
  }

  private struct Storage: TokenStorage {
    let kill: Kill
    let base: any TokenStorage

    func token(for account: String) async throws -> StoredToken? {
      try kill.check()
      return try await base.token(for: account)
    }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await base.withExclusiveAccess(to: account) { try await body(Slot(kill: kill, base: $0)) }
    }

    func accounts() async throws -> [String] {
      try kill.check()
      return try await base.accounts()
    }
  }

  private struct Slot: TokenSlot {
    let kill: Kill
    let base: any TokenSlot

    func read() async throws -> StoredToken? {
      try kill.check()
      return try await base.read()
    }

    func write(_ token: StoredToken?) async throws {
      try kill.effect()
      try await base.write(token)
    }
  }
}
