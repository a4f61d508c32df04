// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import TokenStore

/// The text of a sealed record: the key's identifier, a full stop, and bytes in Base64 for URLs.
///
/// The bytes are the key's fingerprint (8), the nonce (24), the ciphertext with its tag, and a checksum (4) of everything before it. The
/// checksum distinguishes a damaged record from a changed one. Only the tag protects the record.
struct SealedForm {
  let identifier: Substring
  let fingerprint: [UInt8]
  let nonce: [UInt8]
  /// The ciphertext, followed by its tag.
  let message: [UInt8]

  private static let checksumSize = 4
  private static let overhead =
    SealingKey.fingerprintSize + XAES256GCM.nonceSize + XAES256GCM.tagSize + checksumSize
}

extension SealedForm {
  init(key: SealingKey, nonce: [UInt8], message: [UInt8]) {
    self.init(identifier: key.identifier[...], fingerprint: key.fingerprint, nonce: nonce, message: message)
  }

  /// Parses the text of a sealed record, or returns `nil` if it is damaged.
  init?(_ text: String) {
    guard let stop = text.utf8.firstIndex(of: UInt8(ascii: ".")),
      case let identifier = text[..<stop], SealingKey.isValid(identifier),
      let bytes = Base64URL.decode(text[text.utf8.index(after: stop)...]), bytes.count >= Self.overhead
    else { return nil }
    let content = Array(bytes.dropLast(Self.checksumSize))
    guard Self.checksum(identifier, content) == bytes.suffix(Self.checksumSize) else { return nil }
    let (nonceStart, start) = (SealingKey.fingerprintSize, SealingKey.fingerprintSize + XAES256GCM.nonceSize)
    self.init(
      identifier: identifier, fingerprint: Array(content[..<nonceStart]), nonce: Array(content[nonceStart..<start]),
      message: Array(content[start...]))
  }

  var text: String {
    let content = fingerprint + nonce + message
    return "\(identifier).\(Base64URL.encode(content + Self.checksum(identifier, content)))"
  }

  private static func checksum(_ identifier: Substring, _ content: [UInt8]) -> ArraySlice<UInt8> {
    MessageDigest.sha256(identifier.utf8 + [UInt8(ascii: ".")] + content)[..<checksumSize]
  }
}
