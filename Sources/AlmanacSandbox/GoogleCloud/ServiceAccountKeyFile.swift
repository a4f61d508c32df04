// SPDX-License-Identifier: Apache-2.0

import JSONCoding
public import OAuthJOSE
public import PlatformFoundation
import Support
public import TokenStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

extension GoogleCloudSandbox {
  /// A service account's key file, in the format of the Google Cloud console
  /// ([service account keys](https://cloud.google.com/iam/docs/keys-create-delete)).
  public struct KeyFile: Sendable {
    /// The contents: JSON text with the private key.
    public let content: Secret
    /// The public key, for ``ServiceAccount/keys``.
    public let publicKeys: JWKSet

    /// Writes the file, readable by its owner only.
    ///
    /// - Parameter url: The file URL of a new file.
    /// - Throws: ``SandboxError`` if the file exists or cannot be written.
    public func write(to url: URL) throws(SandboxError) {
      let path = url.path(percentEncoded: false)
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let file = FileDescriptor(owning: unsafe open(path, flags, 0o600))
      guard file.number >= 0, file.write(Array(content.reveal().utf8)) else {
        throw SandboxError("The key file \(path) exists or cannot be written. Choose the path of a new file.")
      }
    }
  }
}

extension GoogleCloudSandbox.KeyFile {
  /// Generates a new key for a service account, and returns the key file.
  ///
  /// ```swift
  /// let email = "robot@sandbox-project.iam.gserviceaccount.com"
  /// let keyFile = try await GoogleCloudSandbox.KeyFile.make(for: email)
  /// let robot = GoogleCloudSandbox.ServiceAccount(email: email, keys: keyFile.publicKeys)
  /// let cloud = GoogleCloudSandbox(configuration: .init(serviceAccounts: [robot]))
  /// ```
  ///
  /// - Parameters:
  ///   - email: The e-mail address of the account.
  ///   - tokenURL: The token endpoint in the file, or `nil` for Google's. Google's client libraries for other languages send
  ///     requests to this endpoint. For a sandbox on loopback, it is `http://127.0.0.1:PORT/oauth2.googleapis.com/token`.
  /// - Throws: `JOSEError` if the key cannot be generated, or `CancellationError`.
  public static func make(for email: String, tokenURL: URL? = nil) async throws -> GoogleCloudSandbox.KeyFile {
    let key = try await SigningKey.generate(.rs256, bits: 2048)
    var published = key.publicJWK
    published.keyID = published.keyID ?? randomToken()
    let project = email.split(separator: "@").last?.split(separator: ".").first.map(String.init)
    let members: [String: JSONValue] = [
      "type": "service_account", "project_id": .string(project ?? "sandbox-project"),
      "private_key_id": published.keyID.map { .string($0) } ?? .null, "private_key": .string(try key.revealPEM()),
      "client_email": .string(email), "client_id": "100000000000000000009",
      "auth_uri": "https://accounts.google.com/o/oauth2/auth",
      "token_uri": .string(tokenURL?.absoluteString ?? GoogleCloudSandbox.tokenAudience),
      "universe_domain": "googleapis.com",
    ]
    return GoogleCloudSandbox.KeyFile(
      content: Secret(String(decoding: JSONValue.object(members).json(), as: UTF8.self)),
      publicKeys: JWKSet([published]))
  }

  /// Returns the file with another token endpoint, for a sandbox whose port is assigned after the key is generated.
  package func naming(tokenURL: URL) -> GoogleCloudSandbox.KeyFile {
    guard var members = JSONValue.members(of: Array(content.reveal().utf8)) else { return self }
    members["token_uri"] = .string(tokenURL.absoluteString)
    return GoogleCloudSandbox.KeyFile(
      content: Secret(String(decoding: JSONValue.object(members).json(), as: UTF8.self)), publicKeys: publicKeys)
  }
}
