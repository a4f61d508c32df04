// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Synchronization
import TokenStore

/// Sends the client's secret, read from its source when it is first needed, by a method that the server supports.
///
/// Requests share one read. A secret that was read is kept, since a pipe gives it once; a failure is not.
final class ClientSecretFromSource: ClientAuthentication {
  private let source: SecretSource
  private let reading = Mutex<(task: SharedTask<Secret>?, secret: Secret?)>((nil, nil))

  init(_ source: SecretSource) { self.source = source }

  func authenticate(_ request: inout TokenRequest) async throws {
    try AutomaticClientSecret(try await secret()).authenticate(&request)
  }

  private func secret() async throws -> Secret {
    if let secret = reading.withLock(\.secret) { return secret }
    let waiter = reading.withLock { reading in SharedTask.join(&reading.task, orStart: source.secret) }
    let secret = try await waiter.value()
    reading.withLock { $0.secret = secret }
    return secret
  }
}
