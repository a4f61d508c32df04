// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import PlatformFoundation
import TokenStore

extension Sandbox.Client {
  /// Decodes a client of a seed.
  init(_ members: inout CheckedMembers) throws(SandboxError) {
    let id = try members.required("id")
    let redirectURIs = try members.texts("redirectURIs")
    var behaviors = Set(Sandbox.GoogleBehavior.allCases)
    if redirectURIs != nil { behaviors.remove(.anyLoopbackRedirect) }
    self.init(
      id: id, name: try members.text("name") ?? id, redirectURIs: redirectURIs ?? [],
      authentication: try Authentication(&members), googleBehaviors: behaviors)
    requestObjectKeys = try members.keySet("requestObjectKeys")
    requiresSignedRequests = try members.flag("requiresSignedRequests") ?? false
    guard !requiresSignedRequests || requestKeys != nil else {
      throw members.fault("requestObjectKeys", "is missing, but signed requests are required")
    }
    requiresBoundTokens = try members.flag("requiresBoundTokens") ?? false
    postLogoutRedirectURIs = try members.texts("postLogoutRedirectURIs") ?? []
    backChannelLogoutURI = try members.url("backChannelLogoutURI")
  }
}

extension Sandbox.Client.Authentication {
  /// Decodes `authentication` and its required credential.
  fileprivate init(_ members: inout CheckedMembers) throws(SandboxError) {
    let secret = try members.text("secret").map { Secret($0) }
    let keys = try members.keySet("jwks")
    let certificate = try members.bytes("certificate")
    let given = [secret != nil, keys != nil, certificate != nil].count(where: \.self)
    guard let method = try members.text("authentication") else {
      guard given <= 1 else {
        throw members.fault("authentication", "is missing, but the client has several credentials")
      }
      self =
        secret.map { .clientSecret($0) } ?? keys.map { .privateKeyJWT($0) }
        ?? certificate.map { .tlsClientCertificate($0) } ?? .none
      return
    }
    guard let expected = Self.credentials[method] else {
      throw members.fault("authentication", "is not a supported method")
    }
    let wanted: Self? =
      switch method {
      case "client_secret_basic": secret.map { .clientSecretBasic($0) }
      case "client_secret_post": secret.map { .clientSecretPost($0) }
      case "client_secret_jwt": secret.map { .clientSecretJWT($0) }
      case "private_key_jwt": keys.map { .privateKeyJWT($0) }
      case "tls_client_auth": certificate.map { .tlsClientCertificate($0) }
      default: Self.none
      }
    guard let wanted, given == (expected == nil ? 0 : 1) else {
      throw members.fault(
        "authentication",
        "requires \(expected.map { "\($0) and no other credential" } ?? "a client without credentials")")
    }
    if case .clientSecretJWT(let secret) = wanted, secret.reveal().utf8.count < 32 {
      throw members.fault("secret", "must have at least 32 bytes for client_secret_jwt")
    }
    self = wanted
  }

  /// The credential required by each method, or `nil` for none.
  private static let credentials: [String: String?] = [
    "none": nil, "client_secret_basic": "secret", "client_secret_post": "secret", "client_secret_jwt": "secret",
    "private_key_jwt": "jwks", "tls_client_auth": "certificate",
  ]
}

extension CheckedMembers {
  /// Decodes a JWK set with at least one key.
  mutating func keySet(_ name: String) throws(SandboxError) -> JWKSet? {
    try take(name, "a JWK set with a public key") { value in
      (try? JWKSet(json: value.json())).flatMap { $0.keys.isEmpty ? nil : $0 }
    }
  }

  fileprivate mutating func bytes(_ name: String) throws(SandboxError) -> [UInt8]? {
    try take(name, "DER bytes in Base64") { $0.string.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } }
  }

  fileprivate mutating func url(_ name: String) throws(SandboxError) -> URL? {
    try take(name, "a URL") { $0.string.flatMap { URL(string: $0) }.flatMap { $0.scheme == nil ? nil : $0 } }
  }
}

extension Sandbox.Seed {
  /// A service account, and whether it is attached to the machine.
  struct ServiceAccount {
    let account: GoogleCloudSandbox.ServiceAccount
    let isAttached: Bool

    /// Decodes a service account of a seed.
    init(_ members: inout CheckedMembers) throws(SandboxError) {
      let email = try members.required("email").lowercased()
      // The e-mail address is also the name of the key file.
      guard email.contains("@"), !email.contains("/") else {
        throw members.fault("email", "must be an e-mail address")
      }
      var account = GoogleCloudSandbox.ServiceAccount(email: email, keys: try members.keySet("keys") ?? JWKSet([]))
      account.delegators = Set((try members.texts("delegators") ?? []).map { $0.lowercased() })
      account.tokenCreators = Set((try members.texts("tokenCreators") ?? []).map { $0.lowercased() })
      self.account = account
      isAttached = try members.flag("attached") ?? false
    }

    /// Returns the accounts, and the e-mail address of the attached one.
    ///
    /// - Parameter users: The e-mail addresses of the users, who are the only valid delegators.
    static func checked(
      _ accounts: [ServiceAccount], users: [String]
    ) throws(SandboxError) -> ([GoogleCloudSandbox.ServiceAccount], attached: String?) {
      for (index, account) in accounts.enumerated() where !account.account.delegators.isSubset(of: users) {
        throw SandboxError("In the seed, a delegator of serviceAccounts[\(index)] is not one of the users.")
      }
      let attached = accounts.filter(\.isAttached)
      guard attached.count <= 1 else { throw SandboxError("In the seed, more than one service account is attached.") }
      return (accounts.map(\.account), attached.first?.account.email)
    }
  }
}
