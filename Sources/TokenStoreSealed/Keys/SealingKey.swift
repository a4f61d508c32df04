// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
public import TokenStore

/// A key for sealing records: 32 random bytes, with an identifier.
///
/// The identifier is stored in clear text in front of each record sealed with the key. No description shows the key.
public struct SealingKey: Sendable {
  /// The name of the key, unique within a key ring.
  public let identifier: String
  let cipher: XAES256GCM
  /// A part of the key's digest, by which a record recognizes its key.
  let fingerprint: [UInt8]

  /// The size of a fingerprint, in bytes.
  static let fingerprintSize = 8

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - identifier: The name of the key, such as `2026-11`: up to 64 ASCII letters, digits, hyphens and underscores.
  ///   - bytes: The 32 bytes of the key, from a cryptographic random number generator.
  /// - Throws: `TokenStorageError` with code `invalidKeys`.
  public init(identifier: String, bytes: [UInt8]) throws(TokenStorageError) {
    guard Self.isValid(identifier) else {
      throw TokenStorageError(
        .invalidKeys,
        "The identifier of a sealing key is not valid. Use up to 64 ASCII letters, digits, hyphens and underscores.")
    }
    self.identifier = identifier
    cipher = try XAES256GCM(key: bytes)
    fingerprint = Array(MessageDigest.sha256(bytes)[..<Self.fingerprintSize])
  }

  /// Generates a key with the system's cryptographic random number generator.
  ///
  /// - Parameter identifier: The name of the key, such as `2026-11`. See ``init(identifier:bytes:)``.
  /// - Throws: `TokenStorageError` with code `invalidKeys` if the identifier is not valid.
  public static func generate(_ identifier: String) throws(TokenStorageError) -> SealingKey {
    var bytes = randomBytes(XAES256GCM.keySize)
    defer { bytes.wipe() }
    return try SealingKey(identifier: identifier, bytes: bytes)
  }

  /// Returns the key as text, for a key file or an environment variable only: the identifier, a colon, and the key in Base64 for URLs.
  public func reveal() -> String {
    var bytes = unsafe cipher.key.withBytes { unsafe Array($0) }
    defer { bytes.wipe() }
    return "\(identifier):\(Base64URL.encode(bytes))"
  }

  package static func isValid(_ identifier: some StringProtocol) -> Bool {
    (1...64).contains(identifier.utf8.count)
      && identifier.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension SealingKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The identifier, without the key.
  public var description: String { "SealingKey(\(identifier), <redacted>)" }
  /// The identifier, without the key.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Returns bytes of the system's cryptographic random number generator.
///
/// - Parameter count: The number of bytes, a multiple of 8. The generator returns 8 bytes in each call, which can be a system call.
func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  while bytes.count < count {
    let word = generator.next()
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }
  return bytes
}
