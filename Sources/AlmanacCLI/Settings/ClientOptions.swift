// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore
import OAuthJOSE
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A method of client authentication, by its name.
enum ClientMethod: String, CaseIterable {
  case none
  case clientSecretBasic = "client_secret_basic"
  /// For servers that do not decode Basic credentials; the name is the command's own.
  case clientSecretBasicUnencoded = "client_secret_basic_unencoded"
  case clientSecretPost = "client_secret_post"
  case clientSecretJWT = "client_secret_jwt"
  case privateKeyJWT = "private_key_jwt"
  case tlsClientAuth = "tls_client_auth"
  case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

  /// Whether a certificate authenticates the client in the TLS handshake.
  var usesCertificate: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
}

extension Option {
  /// The options that name a client and how it authenticates.
  static let client: [Option] = [
    Option(
      "client-id", "ID",
      "the client identifier (default: $ALMANAC_CLIENT_ID, else that of the last sign-in)"),
    Option(
      "client-auth", "METHOD",
      "\(ClientMethod.allCases.map(\.rawValue).joined(separator: ", ")) (default: what the server lists)"
    ),
    Option(
      "client-secret-file", "FILE",
      "a file that holds the client secret (default: $ALMANAC_CLIENT_SECRET)"),
    Option("ask-client-secret", nil, "ask for the client secret at a prompt"),
    Option(
      "client-key-file", "FILE",
      "a file that holds the client's private key: PEM or JWK for private_key_jwt, PEM for tls_client_auth"),
    Option(
      "client-key-id", "ID",
      "the identifier of a key in PEM, by which the server finds the public key"),
    Option(
      "client-cert-file", "FILE",
      "a file that holds the client's certificate and intermediate ones, PEM, for tls_client_auth"),
  ]
}

extension Context {
  /// Returns the registration of the client that the options, the environment and the settings name.
  ///
  /// - Throws: ``UsageError`` for a method without what it needs; an error of reading the secret.
  func registration(_ settings: Settings) async throws -> ClientRegistration {
    let secret = try await clientSecret(settings)
    guard let name = settings.clientAuthentication ?? keyFile(settings).map({ _ in "private_key_jwt" }) else {
      return ClientRegistration(clientID: settings.clientID, secret: secret)
    }
    guard let method = ClientMethod(rawValue: name) else {
      throw UsageError(
        "--client-auth is one of \(ClientMethod.allCases.map(\.rawValue).joined(separator: ", ")).",
        command: command)
    }
    func needed() throws -> Secret {
      guard let secret else {
        throw UsageError(
          "\(name) needs the client secret: --client-secret-file or $ALMANAC_CLIENT_SECRET.",
          command: command)
      }
      return secret
    }
    let authentication: any ClientAuthentication =
      switch method {
      case .none: .none
      case .clientSecretBasic: .clientSecretBasic(try needed())
      case .clientSecretBasicUnencoded: .clientSecretBasicUnencoded(try needed())
      case .clientSecretPost: .clientSecretPost(try needed())
      case .clientSecretJWT: try .clientSecretJWT(try needed())
      case .privateKeyJWT: .privateKeyJWT(try await clientKey(settings))
      case .tlsClientAuth, .selfSignedTLSClientAuth: .tlsClientCertificate
      }
    return ClientRegistration(clientID: settings.clientID, authentication: authentication)
  }

  private func clientSecret(_ settings: Settings) async throws -> Secret? {
    if arguments.has("ask-client-secret") { return try await SecretPrompt.ask("Client secret: ") }
    if let file = arguments["client-secret-file"] {
      return try await SecretSource.file(file).secret()
    }
    // A resource chose the server, which must not be sent the secret of another client.
    if settings.server.resource == nil, let secret = environment["ALMANAC_CLIENT_SECRET"], !secret.isEmpty {
      return Secret(secret)
    }
    return try await settings.clientSecretFile.map(SecretSource.file)?.secret()
  }

  /// A file that is named now may be a pipe, which is not kept in the settings.
  func keyFile(_ settings: Settings) -> String? { arguments["client-key-file"] ?? settings.clientKeyFile }

  private func clientKey(_ settings: Settings) async throws -> SigningKey {
    guard let file = keyFile(settings) else {
      throw UsageError(
        "private_key_jwt needs the client's private key: --client-key-file.", command: command)
    }
    let text = String(
      decoding: try await content(of: file, option: "client-key-file"), as: UTF8.self)
    do {
      return text.contains("{")
        ? try SigningKey(privateJWK: text) : try SigningKey(pem: text, keyID: settings.clientKeyID)
    } catch {
      throw UsageError(
        "The file for --client-key-file holds no private key that can sign: \(error.message)",
        command: command)
    }
  }
}

extension ClientMetadata {
  /// The metadata that the command registers with; the server's list decides how it authenticates.
  ///
  /// - Parameter port: The port of the redirect URI.
  static func command(port: Int) -> ClientMetadata {
    var metadata = ClientMetadata(
      clientName: "almanac",
      redirectURIs: [URL(string: "http://127.0.0.1:\(port)/callback")].compactMap(\.self))
    metadata.grantTypes = ["authorization_code", "refresh_token"]
    metadata.responseTypes = ["code"]
    metadata.applicationType = "native"
    return metadata
  }
}
