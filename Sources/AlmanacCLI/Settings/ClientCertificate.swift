// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if os(Linux) && !canImport(Darwin)
  package import HTTPTransportCurl
#endif

/// A certificate and its private key, which the command presents to servers that request a client certificate.
package struct ClientCertificate: Sendable {
  /// The certificate as PEM, followed by the intermediate certificates.
  package let certificate: String
  /// The private key as PEM.
  let key: Secret
}

extension ClientCertificate {
  /// Creates a transport that presents the certificate.
  ///
  /// - Throws: ``UsageError`` on a platform whose transport does not support client certificates.
  func transport() throws -> any Transport {
    #if os(Linux) && !canImport(Darwin)
      return CurlTransport(tls: TLSOptions(clientCertificate: identity))
    #else
      throw UsageError("Client certificates are supported on Linux only.")
    #endif
  }

  #if os(Linux) && !canImport(Darwin)
    /// The certificate for a transport.
    package var identity: TLSOptions.ClientCertificate {
      TLSOptions.ClientCertificate(
        certificate: .bytes(Array(certificate.utf8)), key: .bytes(Array(key.reveal().utf8)))
    }
  #endif
}

extension Context {
  /// Reads the client certificate named by the options or the settings, or returns `nil` for another authentication
  /// method.
  ///
  /// - Throws: ``UsageError``, or `CancellationError`.
  func clientCertificate(_ settings: Settings) async throws -> ClientCertificate? {
    let method = settings.clientAuthentication.flatMap(ClientMethod.init(rawValue:))
    guard let method, method.usesCertificate else {
      guard !arguments.has("client-cert-file") else {
        throw UsageError(
          "--client-cert-file needs --client-auth tls_client_auth or self_signed_tls_client_auth.", command: command)
      }
      return nil
    }
    guard !["client-secret-file", "ask-client-secret", "client-key-id"].contains(where: arguments.has) else {
      throw UsageError(
        "\(method.rawValue) takes only a certificate and its key. Omit the options for other client credentials.",
        command: command)
    }
    guard let certificateFile = arguments["client-cert-file"] ?? settings.clientCertificateFile,
      let keyFile = keyFile(settings)
    else {
      throw UsageError(
        "\(method.rawValue) needs the client's certificate and its key. Use --client-cert-file and --client-key-file.",
        command: command)
    }
    let certificateBytes = try await content(of: certificateFile, option: "client-cert-file")
    let keyBytes = try await content(of: keyFile, option: "client-key-file")
    guard let certificate = Self.pem(certificateBytes), certificate.contains("-----BEGIN CERTIFICATE-----") else {
      throw UsageError("The file for --client-cert-file contains no certificate in PEM format.", command: command)
    }
    guard let key = Self.pem(keyBytes), key.contains("PRIVATE KEY-----") else {
      throw UsageError("The file for --client-key-file contains no private key in PEM format.", command: command)
    }
    guard !key.contains("ENCRYPTED") else {
      throw UsageError(
        "The private key in the file for --client-key-file is encrypted. Decrypt it into a file that only you can read.",
        command: command)
    }
    return ClientCertificate(certificate: certificate, key: Secret(key))
  }

  private static func pem(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: Unicode.ASCII.self) }
}
