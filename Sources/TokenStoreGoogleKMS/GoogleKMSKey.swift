// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
public import OAuthCore
import OAuthJOSE
public import OAuthScope
import PlatformFoundation
import Support
public import TokenStore
public import TokenStoreSealed

/// A key of Google Cloud KMS that wraps sealing keys
/// ([envelope encryption](https://cloud.google.com/kms/docs/envelope-encryption)).
///
/// The key never leaves Google Cloud. It must be symmetric, with the purpose `ENCRYPT_DECRYPT`.
///
/// ```swift
/// let credential = try await GoogleCredential.applicationDefault(scopes: [GoogleKMSKey.scope], in: environment)
/// let key = try GoogleKMSKey(
///   "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/tokens", tokens: credential, transport: http)
/// print(try await key.wrap(.generate("2026-11")))        // once; keep this text with the configuration
/// ```
///
/// Wrapping needs the role `roles/cloudkms.cryptoKeyEncrypter`, and unwrapping `roles/cloudkms.cryptoKeyDecrypter`.
public struct GoogleKMSKey: Sendable {
  /// The scope of the API.
  public static let scope: Scope = "https://www.googleapis.com/auth/cloudkms"

  /// The resource name of the key.
  public let name: String
  private let transport: any Transport

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: The resource name: `projects/P/locations/L/keyRings/R/cryptoKeys/K`.
  ///   - tokens: The access tokens, with ``scope`` or `https://www.googleapis.com/auth/cloud-platform`. They are sent to
  ///     `https://cloudkms.googleapis.com` only. Do not store these tokens with the keys that this key wraps: reading them
  ///     would wait for itself.
  ///   - transport: The transport for the requests, all of which are repeatable. Use one with retries.
  /// - Throws: `TokenStorageError` with code `invalidKeys` if `name` is not a resource name of a key.
  public init(_ name: String, tokens: some TokenSource, transport: some Transport) throws(TokenStorageError) {
    guard Self.isValid(name) else {
      throw TokenStorageError(
        .invalidKeys,
        """
        The name of a Google Cloud KMS key is not valid. Write projects/P/locations/L/keyRings/R/cryptoKeys/K, without a version.
        """)
    }
    self.name = name
    let origins = [URL(string: Self.url).flatMap(Origin.init)].compactMap(\.self)
    self.transport = transport.authorized(by: tokens, for: Set(origins))
  }

  /// Wraps a sealing key, and returns its text for ``GoogleKMSSealingKeys``: the key's identifier, a colon and the encrypted key.
  ///
  /// The text is not secret: only this key in Google Cloud decrypts it.
  ///
  /// - Parameter key: The sealing key.
  /// - Throws: `TokenStorageError` with code `unavailable`, or `CancellationError`.
  public func wrap(_ key: SealingKey) async throws -> String {
    var bytes = Array(key.reveal().utf8)
    defer { bytes.wipe() }
    let response = try await call(.encrypt, bytes, of: key.identifier)
    return "\(key.identifier):\(Data(response).base64EncodedString())"
  }

  /// Returns the text of a wrapped sealing key.
  func unwrap(_ ciphertext: [UInt8], of identifier: String) async throws -> Secret {
    var bytes = try await call(.decrypt, ciphertext, of: identifier)
    defer { bytes.wipe() }
    return Secret(String(decoding: bytes, as: UTF8.self))
  }
}

extension GoogleKMSKey: CustomStringConvertible {
  /// The resource name.
  public var description: String { name }
}

extension GoogleKMSKey {
  private static let url = "https://cloudkms.googleapis.com"

  private static func isValid(_ name: String) -> Bool {
    let kinds = ["projects", "locations", "keyRings", "cryptoKeys"]
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 * kinds.count
      && kinds.indices.allSatisfy { parts[2 * $0] == kinds[$0] && isIdentifier(parts[2 * $0 + 1]) }
  }

  /// Whether a part of a resource name can be an identifier, such as `example.com:project`, and not `.` or `..`.
  private static func isIdentifier(_ part: Substring) -> Bool {
    !part.allSatisfy { $0 == "." }
      && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.:".contains($0) }
  }

  /// A method of the API ([encrypt](https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys/encrypt),
  /// [decrypt](https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys/decrypt)).
  private enum Method: String {
    case encrypt, decrypt

    var input: String { self == .encrypt ? "plaintext" : "ciphertext" }
    var output: String { self == .encrypt ? "ciphertext" : "plaintext" }
  }

  /// Sends bytes, and returns the bytes of the response.
  ///
  /// Both directions have checksums, and the identifier is authenticated with the key.
  @concurrent private func call(_ method: Method, _ bytes: [UInt8], of identifier: String) async throws -> [UInt8] {
    let context = Array("almanac sealing key \(identifier)".utf8)
    let members: [String: JSONValue] = [
      method.input: .string(Data(bytes).base64EncodedString()),
      "\(method.input)Crc32c": .string("\(CRC32C.checksum(bytes))"),
      "additionalAuthenticatedData": .string(Data(context).base64EncodedString()),
      "additionalAuthenticatedDataCrc32c": .string("\(CRC32C.checksum(context))"),
    ]
    guard let url = URL(string: "\(Self.url)/v1/\(name):\(method.rawValue)") else { throw undocumented(method) }
    var request = HTTPRequest(
      .post, url, fields: ["Content-Type": "application/json"], body: JSONValue.object(members).json(),
      redirectScope: .sameOrigin)
    request.isRepeatable = true
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw TokenStorageError(
        .unavailable, "Could not \(method) the sealing key \(identifier) with \(name): \(error)")
    }
    guard response.isSuccess else { throw refusal(of: response, method, bytes, identifier) }
    let json = try? JSONValue(json: response.body)
    guard let output = (json?[method.output]?.string).flatMap({ Data(base64Encoded: $0) }).map({ Array($0) })
    else { throw undocumented(method) }
    let isVerified =
      method == .decrypt
      || json?["verifiedPlaintextCrc32c"] == true && json?["verifiedAdditionalAuthenticatedDataCrc32c"] == true
    guard isVerified, json?["\(method.output)Crc32c"]?.string == "\(CRC32C.checksum(output))" else {
      throw TokenStorageError(
        .unavailable, "The sealing key \(identifier) was damaged on its way to or from Google Cloud KMS. Try again.")
    }
    return output
  }

  private func undocumented(_ method: Method) -> TokenStorageError {
    TokenStorageError(
      .unavailable, "The response of Google Cloud KMS to \(method) with \(name) is not what Google documents.")
  }

  /// The error of an unsuccessful response to a request with these bytes.
  private func refusal(
    of response: HTTPResponse, _ method: Method, _ bytes: [UInt8], _ identifier: String
  ) -> TokenStorageError {
    let error = JSONValue(errorBody: response.body)?.withoutAbsentMembers["error"]
    let text = error?["message"]?.string ?? "status \(response.status)"
    // A proxy could return the request.
    let secrets = method == .encrypt ? [String(decoding: bytes, as: UTF8.self)] : []
    let shown = ServerText.shown(text, hiding: secrets, limit: 300)
    let failure = "Google Cloud KMS did not \(method) the sealing key \(identifier) with \(name) (\(shown))."
    switch response.status {
    case 400 where error?["status"]?.string == "FAILED_PRECONDITION":
      return TokenStorageError(.unavailable, "\(failure) Enable the key's version, and check the key's purpose.")
    case 400 where text.lowercased().contains("crc32c"), 408, 429, 500...:
      return TokenStorageError(.unavailable, "\(failure) Try again later.")
    case 400 where method == .decrypt:
      return TokenStorageError(
        .invalidKeys, "\(failure) Use the text that wrap(_:) returned for this key, unchanged.")
    case 401: return TokenStorageError(.unavailable, "\(failure) Check the credential.")
    case 403 where text.contains("cloudkms.cryptoKeyVersions."):
      let role = method == .encrypt ? "cryptoKeyEncrypter" : "cryptoKeyDecrypter"
      return TokenStorageError(.unavailable, "\(failure) Grant the caller roles/cloudkms.\(role) on the key.")
    case 403:
      return TokenStorageError(
        .unavailable,
        "\(failure) Enable the API cloudkms.googleapis.com, and check the token's scope and its quota project.")
    case 404: return TokenStorageError(.unavailable, "\(failure) Create the key, or correct its name.")
    default: return TokenStorageError(.unavailable, "\(failure) Check the key's name and purpose.")
    }
  }
}
