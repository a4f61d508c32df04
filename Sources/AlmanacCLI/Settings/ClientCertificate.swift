// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if os(Linux) && !canImport(Darwin)
  package import HTTPTransportCurl
#endif

/// A certificate with its private key, which the command shows to servers that ask for one.
package struct ClientCertificate: Sendable {
  /// The certificate as PEM, followed by those of intermediate authorities.
  package let certificate: String
  /// The private key as PEM.
  let key: Secret
}

extension ClientCertificate {
  /// Makes a transport that shows the certificate.
  ///
  /// - Throws: ``UsageError`` on a platform whose transport has no client certificates.
  func transport() throws -> any Transport {
    #if os(Linux) && !canImport(Darwin)
      return CurlTransport(tls: TLSOptions(clientCertificate: identity))
    #else
      throw UsageError("Client certificates need the command on Linux.")
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
  /// Reads the client certificate that the options or the settings name; `nil` for a client that authenticates by another method.
  ///
  /// - Throws: ``UsageError``; `CancellationError`.
  func clientCertificate(_ settings: Settings) async throws -> ClientCertificate? {
    let method = settings.clientAuthentication.flatMap(ClientMethod.init(rawValue:))
    guard let method, method.usesCertificate else {
      guard !arguments.has("client-cert-file") else {
        throw UsageError("--client-cert-file is for --client-auth tls_client_auth.", command: command)
      }
      return nil
    }
    guard !["client-secret-file", "ask-client-secret", "client-key-id"].contains(where: arguments.has) else {
      throw UsageError("\(method.rawValue) has a certificate and its key, and nothing else.", command: command)
    }
    guard let certificateFile = arguments["client-cert-file"] ?? settings.clientCertificateFile,
      let keyFile = keyFile(settings)
    else {
      throw UsageError(
        "\(method.rawValue) needs the client's certificate and its key: --client-cert-file and --client-key-file.",
        command: command)
    }
    let certificateBytes = try await content(of: certificateFile, option: "client-cert-file")
    let keyBytes = try await content(of: keyFile, option: "client-key-file")
    guard let certificate = Self.pem(certificateBytes), certificate.contains("-----BEGIN CERTIFICATE-----") else {
      throw UsageError("The file for --client-cert-file holds no certificate in PEM.", command: command)
    }
    guard let key = Self.pem(keyBytes), key.contains("PRIVATE KEY-----") else {
      throw UsageError("The file for --client-key-file holds no private key in PEM.", command: command)
    }
    guard !key.contains("ENCRYPTED") else {
      throw UsageError(
        "The private key in the file for --client-key-file is encrypted. Decrypt it into a file that only you can read.",
        command: command)
    }
    return ClientCertificate(certificate: certificate, key: Secret(key))
  }

  private static func pem(_ bytes: [UInt8]) -> String? {
    bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
