// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import Support
import Synchronization
public import TokenStore

/// A source of a secret, which keeps the secret out of source code and command arguments.
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

  /// A file or a pipe.
  ///
  /// The secret is its content without a byte order mark and surrounding whitespace.
  public static func file(_ path: String) -> SecretSource {
    SecretSource {
      guard let content = try await BlockingWork.runCancellable({ try BlockingRead.content(of: path, isCancelled: $0) })
      else {
        throw OAuthError(
          .invalidConfiguration, "The client secret cannot be read from \(path). Check the file's path and permissions."
        )
      }
      let value = String(decoding: ByteOrderMark.dropped(from: content), as: UTF8.self).trimmingWhitespace
      guard !value.isEmpty else {
        throw OAuthError(.invalidConfiguration, "The file \(path) is empty. Write the client secret to it.")
      }
      return Secret(value)
    }
  }

  /// A value in memory.
  public static func value(_ secret: Secret) -> SecretSource { SecretSource { secret } }

  /// Reads the secret.
  ///
  /// Reading from a pipe suspends the task and blocks no thread of the concurrency pool.
  ///
  /// - Throws: `OAuthError` with code `invalidConfiguration`. Also `CancellationError`, promptly, if the current task
  ///   is cancelled.
  public func secret() async throws -> Secret { try await read() }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// Client authentication with a secret, by a method supported by the server.
///
/// The secret is read from its source at its first use.
///
/// Concurrent requests share one read. The secret is cached, because a pipe can be read only once. A failure is not cached.
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
