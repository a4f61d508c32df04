// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Support
import Synchronization
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a secret comes from, so that it need not stand in the source or among a command's arguments.
public struct SecretSource: Sendable {
  private let read: @Sendable () async throws -> Secret

  /// An environment variable.
  public static func environment(_ name: String) -> SecretSource {
    SecretSource {
      guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
        throw OAuthError(
          .invalidConfiguration, "The environment variable \(name) is not set. Set it to the client secret.")
      }
      return Secret(value)
    }
  }

  /// A file or a pipe, whose content without surrounding whitespace is the secret.
  public static func file(_ path: String) -> SecretSource {
    SecretSource {
      guard let content = try await BlockingWork.runCancellable({ try BlockingRead.content(of: path, isCancelled: $0) })
      else {
        throw OAuthError(.invalidConfiguration, "The secret file \(path) cannot be read.")
      }
      let value = String(decoding: content, as: UTF8.self).trimmingWhitespace
      guard !value.isEmpty else {
        throw OAuthError(.invalidConfiguration, "The secret file \(path) is empty.")
      }
      return Secret(value)
    }
  }

  /// A value at hand.
  public static func value(_ secret: Secret) -> SecretSource { SecretSource { secret } }

  /// Reads the secret.
  ///
  /// While it comes out of a pipe, the task waits and no thread of the concurrency pool does.
  ///
  /// - Throws: `OAuthError` with code `invalidConfiguration`; `CancellationError`, promptly, when the current task is cancelled.
  public func secret() async throws -> Secret { try await read() }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

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
