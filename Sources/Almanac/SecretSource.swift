// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Support
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a secret comes from, so that it need not stand in the source or among a command's arguments.
public struct SecretSource: Sendable {
  private let read: @Sendable (_ isCancelled: () -> Bool) throws -> Secret

  /// An environment variable.
  public static func environment(_ name: String) -> SecretSource {
    SecretSource { _ in
      guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
        throw OAuthError(
          .invalidConfiguration, "The environment variable \(name) is not set. Set it to the client secret.")
      }
      return Secret(value)
    }
  }

  /// A file or a pipe, whose content without surrounding whitespace is the secret.
  public static func file(_ path: String) -> SecretSource {
    SecretSource { isCancelled in
      guard let content = try BlockingRead.content(of: path, isCancelled: isCancelled) else {
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
  public static func value(_ secret: Secret) -> SecretSource { SecretSource { _ in secret } }

  /// Reads the secret, which waits while it comes out of a pipe.
  ///
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public func secret() throws -> Secret { try read { false } }

  /// The same secret at hand, read without holding a thread of the cooperative pool.
  ///
  /// - Throws: What ``secret()`` throws; `CancellationError`.
  package func loaded() async throws -> SecretSource {
    .value(try await BlockingWork.runCancellable { try self.read($0) })
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
