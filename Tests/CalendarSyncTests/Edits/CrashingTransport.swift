// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

/// A transport that fails at a request and all later ones, like a process that is killed.
final class CrashingTransport: Transport {
  struct Crash: Error {}

  private let base: any Transport
  private let crash: Int
  private let isSent: Bool
  private let state = Mutex<(count: Int, moment: Int, interference: (@Sendable () async -> Void)?)>((0, 0, nil))

  /// - Parameters:
  ///   - crash: The request at which it fails, from 1.
  ///   - isSent: Whether that request reaches the server.
  init(_ base: any Transport, crash: Int, isSent: Bool) {
    (self.base, self.crash, self.isSent) = (base, crash, isSent)
  }

  /// Runs an action once, before a request is sent.
  func interfere(before request: Int, _ action: @escaping @Sendable () async -> Void) {
    state.withLock { ($0.moment, $0.interference) = (request, action) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (number, interference) = state.withLock { state in
      state.count += 1
      return (state.count, state.count == state.moment ? state.interference : nil)
    }
    await interference?()
    guard number >= crash else { return try await base.send(request) }
    if number == crash, isSent { _ = try await base.send(request) }
    throw Crash()
  }
}
