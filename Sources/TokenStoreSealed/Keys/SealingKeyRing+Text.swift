// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
public import PlatformFoundation
import Support
public import TokenStore

extension SealingKeyRing {
  /// The maximum size of a file of keys, in bytes.
  private static let maximumSize = 1 << 16

  /// Reads keys from text.
  ///
  /// ```
  /// # The first key seals, and all keys open.
  /// 2026-11:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8
  /// 2025-06:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8
  /// ```
  ///
  /// - Parameter text: The keys, each as its identifier, a colon and 32 bytes in Base64 or Base64 for URLs. White space or a comma
  ///   separates two keys. A comment extends from a number sign to the end of its line.
  /// - Throws: `TokenStorageError` with code `invalidKeys`.
  public init(text: Secret) throws(TokenStorageError) {
    var keys: [SealingKey] = []
    let lines = Substring(ByteOrderMark.dropped(from: text.reveal().utf8)).split(whereSeparator: \.isNewline)
    for line in lines {
      let entries = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," }
      for entry in entries { keys.append(try SealingKey(entry, number: keys.count + 1)) }
    }
    try self.init(keys)
  }

  /// Reads keys from a file, in the format of ``init(text:)``.
  ///
  /// Blocks. The file must belong to this user, and other users must not have access to it (`chmod 600`). A symbolic link is refused.
  /// The file's parent directories are not checked.
  ///
  /// - Parameter file: The file's URL.
  /// - Throws: `TokenStorageError` with code `insecure`, `invalidKeys`, or `unavailable` if the file cannot be read.
  public init(file: URL) throws {
    let path = file.path(percentEncoded: false)
    guard var bytes = try PrivateFile.read(path, limit: Self.maximumSize) else {
      throw TokenStorageError(.unavailable, "There is no file \(path) with sealing keys. Check the path.")
    }
    defer { bytes.wipe() }
    guard bytes.count <= Self.maximumSize else {
      throw TokenStorageError(.invalidKeys, "\(path) is larger than 64 KiB, so it is not a file of sealing keys.")
    }
    do {
      try self.init(text: Secret(String(decoding: bytes, as: UTF8.self)))
    } catch {
      throw error.located(in: path)
    }
  }

  /// Reads keys from an environment variable, in the format of ``init(text:)``.
  ///
  /// Programs started by this process can inherit the variable.
  ///
  /// - Parameter name: The variable's name.
  /// - Throws: `TokenStorageError` with code `invalidKeys` if the variable is not set or contains no keys.
  public init(environment name: String) throws {
    try self.init(environment: name, of: ProcessInfo.processInfo.environment)
  }

  package init(environment name: String, of environment: [String: String]) throws {
    guard let text = environment[name] else {
      throw TokenStorageError(
        .invalidKeys, "The environment variable \(name) is not set. Set it to the sealing keys, as IDENTIFIER:KEY.")
    }
    do {
      try self.init(text: Secret(text))
    } catch {
      throw error.located(in: "The environment variable \(name)")
    }
  }
}

extension SealingKey {
  /// Reads a key from text.
  ///
  /// - Parameter number: The position of the key, for the error.
  fileprivate init(_ text: Substring, number: Int) throws(TokenStorageError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isValid(parts[0]), var bytes = Self.bytes(parts[1]), bytes.count == XAES256GCM.keySize
    else {
      throw TokenStorageError(
        .invalidKeys,
        """
        Sealing key \(number) is not valid. Write IDENTIFIER:KEY, where KEY is the Base64 of 32 bytes, and IDENTIFIER has up to 64 \
        ASCII letters, digits, hyphens and underscores.
        """)
    }
    defer { bytes.wipe() }
    try self.init(identifier: String(parts[0]), bytes: bytes)
  }

  /// Decodes either alphabet of Base64, with or without padding.
  private static func bytes(_ text: Substring) -> [UInt8]? {
    let digits = text.hasSuffix("=") ? text.prefix { $0 != "=" } : text
    let padding = text.utf8.count - digits.utf8.count
    guard padding == 0 || (digits.utf8.count + padding).isMultiple(of: 4) && padding <= 2 else { return nil }
    return Base64URL.decode(String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
  }
}

extension TokenStorageError {
  /// Returns the error of reading keys, with their location.
  fileprivate func located(in place: String) -> TokenStorageError {
    TokenStorageError(code, "\(place): \(message)")
  }
}
