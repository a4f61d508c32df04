import OAuthJOSE

/// What the sandbox keeps of a token, code or consent identifier: its digest, from which it cannot be had back.
struct SecretDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  init(of secret: String) { bytes = MessageDigest.sha256(secret) }
}

/// Makes tokens, codes and consent identifiers.
enum IssuedSecret {
  /// Returns 256 random bits in Base64URL, 43 characters.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
