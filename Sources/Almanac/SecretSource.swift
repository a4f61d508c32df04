import OAuthCore
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a secret comes from, so that it need not stand in the source or among a command's arguments.
public struct SecretSource: Sendable {
  private let read: @Sendable () throws -> Secret

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

  /// A file, whose content without surrounding whitespace is the secret.
  public static func file(_ path: String) -> SecretSource {
    SecretSource {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw OAuthError(.invalidConfiguration, "The secret file \(path) cannot be read.")
      }
      let value = String(decoding: data, as: UTF8.self).trimmingWhitespace
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
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public func secret() throws -> Secret { try read() }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
