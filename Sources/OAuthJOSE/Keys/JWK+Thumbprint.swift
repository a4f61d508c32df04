// SPDX-License-Identifier: Apache-2.0

extension JWK {
  /// The SHA-256 thumbprint in Base64URL ([RFC 7638](https://www.rfc-editor.org/rfc/rfc7638.html)): a name for the key
  /// that every implementation computes alike; `nil` for an unknown type or when a required member is missing or not plain ASCII.
  public var thumbprint: String? {
    guard let type = KeyTypes.publicKey(keyType) else { return nil }
    var members: [String] = []
    for name in (type.members + ["kty"]).sorted() {
      // RFC 7638 § 3.3: the members in the order of their names, without whitespace; none of these needs escaping.
      guard let value = name == "kty" ? keyType.rawValue : parameters[name],
        value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
      else { return nil }
      members.append("\"\(name)\":\"\(value)\"")
    }
    return Base64URL.encode(MessageDigest.sha256("{\(members.joined(separator: ","))}"))
  }

  /// The members that make up the key, without `kid`, `use`, `key_ops`, `alg` and others: as a DPoP proof carries it
  /// ([RFC 9449 § 4.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-4.2)).
  public var bare: JWK {
    let members = KeyTypes.publicKey(keyType)?.members
    return JWK(keyType: keyType, parameters: parameters.filter { members?.contains($0.key) ?? true })
  }
}
