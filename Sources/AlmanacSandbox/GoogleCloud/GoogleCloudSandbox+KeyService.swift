// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import PlatformFoundation
import Support
import Synchronization

/// The Cloud Key Management Service: symmetric encryption
/// ([REST reference](https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys)).
extension GoogleCloudSandbox {
  /// A symmetric key.
  public struct CryptoKey: Sendable, Hashable {
    /// The resource name: `projects/P/locations/L/keyRings/R/cryptoKeys/K`.
    public var name: String
    /// The principals that can encrypt (`roles/cloudkms.cryptoKeyEncrypter`).
    public var encrypters: Set<String>
    /// The principals that can decrypt (`roles/cloudkms.cryptoKeyDecrypter`).
    public var decrypters: Set<String>
    /// Whether the key's version is enabled.
    public var isEnabled = true

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The resource name.
    ///   - users: The principals that can encrypt and decrypt.
    public init(_ name: String, users: Set<String>) {
      self.name = name
      encrypters = users
      decrypters = users
    }
  }

  /// The content of a ciphertext, which the sandbox keeps in memory.
  struct Encrypted {
    let key: String
    let plaintext: Data
    let context: Data
  }

  private static let keyServiceScopes: Set<Scope> = [
    "https://www.googleapis.com/auth/cloudkms", "https://www.googleapis.com/auth/cloud-platform",
  ]

  func keyServiceResponse(to request: HTTPRequest, path: String) -> HTTPResponse {
    do throws(Refusal) {
      guard path.hasPrefix("/v1/"), let colon = path.lastIndex(of: ":") else {
        throw Refusal(status: 404, name: "NOT_FOUND", message: "Not found.")
      }
      let name = String(path[..<colon].dropFirst("/v1/".count))
      guard let body = request.jsonMembers else { throw .invalid("The body is not a JSON object.") }
      let principal = try caller(of: request, with: Self.keyServiceScopes).principal
      let key = configuration.cryptoKeys.first { $0.name == name }
      switch path[path.index(after: colon)...] {
      case "encrypt":
        try allow(key?.encrypters, principal, "useToEncrypt", name)
        try checkEnabled(key)
        return .json(.object(try encrypt(body, with: name)))
      case "decrypt":
        try allow(key?.decrypters, principal, "useToDecrypt", name)
        try checkEnabled(key)
        return .json(.object(try decrypt(body, with: name)))
      default: throw Refusal(status: 404, name: "NOT_FOUND", message: "Not found.")
      }
    } catch {
      return error.response
    }
  }

  /// A caller without permission does not learn whether the key exists.
  private func allow(_ users: Set<String>?, _ principal: String, _ permission: String, _ name: String) throws(Refusal) {
    guard users?.contains(principal) != true else { return }
    throw Refusal(
      status: 403, name: "PERMISSION_DENIED",
      message: """
        Permission 'cloudkms.cryptoKeyVersions.\(permission)' denied on resource '\(name)' (or it may not exist).
        """)
  }

  private func checkEnabled(_ key: CryptoKey?) throws(Refusal) {
    guard let key, !key.isEnabled else { return }
    throw Refusal(
      status: 400, name: "FAILED_PRECONDITION",
      message: "\(key.name)/cryptoKeyVersions/1 is not enabled, current state is: DISABLED.")
  }

  private func encrypt(_ body: [String: JSONValue], with key: String) throws(Refusal) -> [String: JSONValue] {
    let plaintext = try Self.bytes("plaintext", in: body)
    guard (1...65_536).contains(plaintext.count) else { throw .invalid("The plaintext must have 1 to 65536 bytes.") }
    let context = try Self.bytes("additionalAuthenticatedData", in: body)
    let ciphertext = Data(randomToken().utf8)
    state.withLock { $0.encrypted[ciphertext] = Encrypted(key: key, plaintext: plaintext, context: context) }
    return [
      "name": .string("\(key)/cryptoKeyVersions/1"), "ciphertext": .string(ciphertext.base64EncodedString()),
      "ciphertextCrc32c": Self.checksum(ciphertext), "protectionLevel": "SOFTWARE",
      "verifiedPlaintextCrc32c": .bool(body["plaintextCrc32c"] != nil),
      "verifiedAdditionalAuthenticatedDataCrc32c": .bool(body["additionalAuthenticatedDataCrc32c"] != nil),
    ]
  }

  private func decrypt(_ body: [String: JSONValue], with key: String) throws(Refusal) -> [String: JSONValue] {
    let ciphertext = try Self.bytes("ciphertext", in: body)
    let context = try Self.bytes("additionalAuthenticatedData", in: body)
    guard let content = state.withLock({ $0.encrypted[ciphertext] }), content.key == key, content.context == context
    else { throw .invalid("Decryption failed: verify that 'name' refers to the correct CryptoKey.") }
    return [
      "plaintext": .string(content.plaintext.base64EncodedString()),
      "plaintextCrc32c": Self.checksum(content.plaintext), "usedPrimary": true, "protectionLevel": "SOFTWARE",
    ]
  }

  /// Returns the bytes of a member, which are empty if it is missing.
  ///
  /// Its checksum, if there is one, must match.
  private static func bytes(_ name: String, in body: [String: JSONValue]) throws(Refusal) -> Data {
    guard let bytes = Data(base64Encoded: body[name]?.string ?? "") else { throw .invalid("Invalid \(name).") }
    if let sum = body["\(name)Crc32c"], sum != checksum(bytes) {
      throw .invalid("The checksum in field \(name)_crc32c did not match the data in field \(name).")
    }
    return bytes
  }

  /// The checksum of bytes, as an `int64` in JSON: a string.
  private static func checksum(_ bytes: Data) -> JSONValue { .string("\(CRC32C.checksum(bytes))") }
}
