// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore
import OAuthJOSE
import PlatformFoundation
import TokenStore

/// A method of client authentication.
enum ClientMethod: String, CaseIterable {
  case none
  case clientSecretBasic = "client_secret_basic"
  /// Basic authentication for servers that do not decode the credentials. The name is the command's own.
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
  /// The options for a client and its authentication.
  static let client: [Option] = [
    Option(
      "client-id", "ID",
      "the client identifier (default: $ALMANAC_CLIENT_ID, else that of the last sign-in)"),
    Option(
      "client-auth", "METHOD",
      "\(ClientMethod.allCases.map(\.rawValue).joined(separator: ", ")) (default: a method that the server lists)",
      choices: ClientMethod.allCases.map(\.rawValue)),
    Option(
      "client-secret-file", "FILE",
      "a file with the client secret (default: $ALMANAC_CLIENT_SECRET)"),
    Option("ask-client-secret", nil, "ask for the client secret at a prompt"),
    Option(
      "client-key-file", "FILE",
      "a file with the client's private key: PEM or JWK for private_key_jwt, PEM for tls_client_auth"),
    Option(
      "client-key-id", "ID",
      "the key identifier (kid) of a private key in PEM"),
    Option(
      "client-cert-file", "FILE",
      "a file with the client's certificate and intermediate certificates, PEM, for tls_client_auth"),
  ]
}

extension Context {
  /// Returns the registration of the client named by the options, the environment and the settings.
  ///
  /// - Throws: ``UsageError`` if the method's credentials are missing, or an error of reading the secret.
  func registration(_ settings: Settings) async throws -> ClientRegistration {
    let secret = try await clientSecret(settings)
    guard let name = settings.clientAuthentication ?? keyFile(settings).map({ _ in "private_key_jwt" }) else {
      return ClientRegistration(clientID: settings.clientID, secret: secret)
    }
    guard let method = ClientMethod(rawValue: name) else {
      throw UsageError(
        "--client-auth must be one of \(ClientMethod.allCases.map(\.rawValue).joined(separator: ", ")).",
        command: command)
    }
    func needed() throws -> Secret {
      guard let secret else {
        throw UsageError(
          "\(name) needs the client secret. Use --client-secret-file or $ALMANAC_CLIENT_SECRET.",
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
    // If a resource chose the server, the secret in the environment belongs to a client at another server.
    if settings.server.resource == nil, let secret = environment["ALMANAC_CLIENT_SECRET"], !secret.isEmpty {
      return Secret(secret)
    }
    return try await settings.clientSecretFile.map(SecretSource.file)?.secret()
  }

  /// Returns the key file from the option, else from the settings.
  ///
  /// A pipe in the option is not stored in the settings.
  func keyFile(_ settings: Settings) -> String? { arguments["client-key-file"] ?? settings.clientKeyFile }

  private func clientKey(_ settings: Settings) async throws -> SigningKey {
    guard let file = keyFile(settings) else {
      throw UsageError(
        "private_key_jwt needs the client's private key. Use --client-key-file.", command: command)
    }
    let text = String(
      decoding: try await content(of: file, option: "client-key-file"), as: UTF8.self)
    do {
      return text.contains("{")
        ? try SigningKey(privateJWK: text) : try SigningKey(pem: text, keyID: settings.clientKeyID)
    } catch {
      throw UsageError(
        "The file for --client-key-file contains no private key for signing. \(error.message)",
        command: command)
    }
  }
}

extension ClientMetadata {
  /// Returns the metadata for the command's registration.
  ///
  /// The authentication method is chosen from the server's list.
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
